// Shows the data of the page, with `picture.js` before it. What is shown is decided by `state` alone; `show` draws it.
(() => {
  const $ = (id) => document.getElementById(id);

  // All units of all files, and in each the searches that have steps.
  const units = data.files.flatMap((file) => file.units.map((unit) => ({ file, unit })));
  if (units.length === 0) units.push({ file: data.files[0], unit: null });
  for (const entry of units) {
    const engines = entry.unit?.explanation?.engines ?? [];
    entry.searches = engines.flatMap((engine) => engine.searches.map((search) => ({ engine, search })));
    entry.runs = (entry.unit?.obligations ?? []).filter((obligation) => obligation.run.length > 0);
    for (const run of entry.runs) run.shown = run.run.filter((step) => !step.minor);
  }

  const SIGNS = { SAFE: '✓', UNSAFE: '✗', UNKNOWN: '?', REJECTED: '✗' };
  // How much of the room the source has.
  $('width').addEventListener('input', () => $('bench').style.setProperty('--width', $('width').value));
  const state = { unit: 0, search: 0, step: 0, run: 0, at: 0, active: 'refinement', all: false };

  const entry = () => units[state.unit];
  const search = () => entry().searches[state.search]?.search;
  const step = () => search()?.steps[state.step];
  const run = () => entry().runs[state.run];
  const runSteps = () => (state.all ? run().run : run().shown);

  function clamp() {
    const within = (value, count) => Math.max(0, Math.min(value, count - 1));
    state.unit = within(state.unit, units.length);
    state.search = within(state.search, entry().searches.length);
    state.step = within(state.step, search()?.steps.length ?? 1);
    state.run = within(state.run, entry().runs.length);
    state.at = within(state.at, run() ? runSteps().length : 1);
  }

  // The address says what is shown: `#step=7`, `#unit=2&search=1&step=7`, `#run=1&at=3`, from 1 on.
  const NAMES = ['unit', 'search', 'step', 'run', 'at'];
  function read() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of NAMES) {
      const number = Number.parseInt(wanted.get(name) ?? '', 10);
      if (Number.isFinite(number)) state[name] = number - 1;
    }
    if (wanted.has('at')) state.active = 'run';
    else if (wanted.has('step')) state.active = 'refinement';
    clamp();
  }
  function write() {
    const wanted = new URLSearchParams();
    if (units.length > 1) wanted.set('unit', state.unit + 1);
    if (entry().searches.length > 1) wanted.set('search', state.search + 1);
    if (state.active === 'run') {
      if (entry().runs.length > 1) wanted.set('run', state.run + 1);
      wanted.set('at', state.at + 1);
    } else wanted.set('step', state.step + 1);
    try {
      history.replaceState(null, '', `#${wanted}`);
    } catch {
      // Some viewers allow no address; then it is not kept.
    }
  }

  function badge(verdict) {
    return h('span', { class: `badge ${verdict.toLowerCase()}` }, `${SIGNS[verdict]} ${verdict}`);
  }

  // ---- Result

  const lineName = (file, line) => {
    const found = file.lines.find((shown) => shown[0] === line);
    if (!found) return `line ${line}`;
    return found[3] ? `line ${found[1]} of ${found[3]}` : `line ${found[1]}`;
  };

  function showResult() {
    const { file, unit } = entry();
    $('title').textContent = file.name;
    $('verdict').replaceChildren(badge(file.verdict));
    document.title = `${file.verdict} ${file.name} - ult`;
    const parts = [];
    const diagnostics = file.diagnostics.map((diagnostic) =>
      h('li', {}, h('strong', {}, `${diagnostic.severity} ${diagnostic.id}`),
        diagnostic.line === null ? '' : ` in ${lineName(file, diagnostic.line)}`, `: ${diagnostic.message}`,
        diagnostic.help ? h('span', { class: 'note' }, ` (${diagnostic.help})`) : null));
    if (diagnostics.length > 0) parts.push(h('ul', { class: 'plain' }, diagnostics));
    if (file.stopped) parts.push(h('p', {}, file.stopped));
    if (unit) {
      parts.push(h('p', {}, h('strong', {}, unit.name), `: ${unit.words}`,
        unit.dependency ? ' (looked at because others rely on its contract)' : ''));
      if (unit.stopped) parts.push(h('p', {}, unit.stopped));
      const list = unit.obligations.map((obligation) =>
        h('li', {}, badge(obligation.verdict), ` ${lineName(file, obligation.line)}: `,
          h('code', {}, obligation.source), ` ${obligation.words}`,
          obligation.reason ? h('span', { class: 'note' }, ` (${obligation.reason})`) : null,
          obligation.cause ? h('span', { class: 'cause' }, ` - ${obligation.cause}`) : null,
          obligation.confirmation ? h('span', { class: 'note' }, ` (${obligation.confirmation})`) : null,
          obligation.run.length > 0
            ? [' ', h('button', { onclick: () => goRun(entry().runs.indexOf(obligation), 0, true) }, 'Show the run')]
            : null));
      parts.push(h('ul', { class: 'plain' }, list));
      if (unit.left.length > 0) parts.push(h('ul', { class: 'plain' }, unit.left.map((line) => h('li', {}, line))));
      if (unit.invariants.length > 0) {
        parts.push(h('h3', {}, 'Invariants of the proof, checked again'));
        parts.push(h('ul', { class: 'plain' }, unit.invariants.map((invariant) =>
          h('li', {}, invariant.predicate ?? (invariant.line === null ? invariant.location : `loop at ${lineName(file, invariant.line)}`),
            ': ', h('code', {}, invariant.formula)))));
      }
    }
    const assumed = [...file.assumed];
    if (file.unknown.length > 0) {
      assumed.push(`functions without a body return anything and change nothing else: ${file.unknown.join(', ')}`);
    }
    if (assumed.length > 0) {
      parts.push(h('h3', {}, 'Assumed'));
      parts.push(h('ul', { class: 'plain' }, assumed.map((text) => h('li', {}, text))));
    }
    $('result-body').replaceChildren(...parts);
  }

  // ---- Source

  let lineElements = new Map();
  // ---- Colours of the source

  const BOOGIE = 'and assert assume axiom bool break call const datatype else ensures error exists false forall free function goto graph havoc '
    + 'if implementation init int invariant is lambda location modifies next old procedure pure real requires return returns then '
    + 'true type unique var where while';
  const C = 'auto bool break case char const continue default do double else enum extern float for goto if inline int long register '
    + 'restrict return short signed sizeof static struct switch typedef union unsigned void volatile while';

  // For one line after the other, its text in pieces with classes. A comment may go on over several lines.
  function colours(name) {
    const keywords = new Set((/\.[ci]$/.test(name) ? C : BOOGIE).split(' '));
    let inside = false;
    const pattern = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])+'|[A-Za-z_.$~#][\w.$~#]*|\d[\w.]*/g;
    return (text) => {
      const pieces = [];
      let at = 0;
      if (inside) {
        const end = text.indexOf('*/');
        at = end < 0 ? text.length : end + 2;
        inside = end < 0;
        pieces.push(h('span', { class: 'comment' }, text.slice(0, at)));
      }
      pattern.lastIndex = at;
      for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
        const [token] = found;
        const kind = token.startsWith('//') || token.startsWith('/*') ? 'comment'
          : /^["']/.test(token) ? 'string' : /^\d/.test(token) ? 'digits' : keywords.has(token) ? 'keyword' : null;
        if (token.startsWith('/*') && !(token.length > 3 && token.endsWith('*/'))) inside = true;
        if (kind === null) continue;
        pieces.push(text.slice(at, found.index), h('span', { class: kind }, token));
        at = found.index + token.length;
      }
      pieces.push(text.slice(at));
      return pieces;
    };
  }

  function showSource() {
    const { file, unit } = entry();
    lineElements = new Map();
    const signs = new Map();
    for (const obligation of unit?.obligations ?? []) {
      const worst = { UNSAFE: 2, UNKNOWN: 1, SAFE: 0 };
      const old = signs.get(obligation.line);
      if (old === undefined || worst[obligation.verdict] > worst[old]) signs.set(obligation.line, obligation.verdict);
    }
    const list = h('ol', { class: 'lines' });
    const colour = colours(file.name);
    let other = null;
    for (const [number, shown, text, from] of file.lines) {
      if ((from ?? null) !== other) {
        other = from ?? null;
        list.append(h('li', { class: 'file' }, other === null ? file.name : `in ${other}`));
      }
      const verdict = signs.get(number);
      const sign = verdict === undefined ? h('span', { class: 'sign' }) : h('span', {
        class: `sign ${verdict.toLowerCase()}-sign`, role: 'img', title: `obligation: ${verdict}`,
        'aria-label': `obligation: ${verdict}`,
      }, SIGNS[verdict]);
      const item = h('li', { class: verdict === 'UNSAFE' ? 'bad' : null },
        h('span', { class: 'number' }, String(shown)), sign, h('pre', {}, ...(text === '' ? [' '] : colour(text))));
      item.dataset.line = shown;
      lineElements.set(number, item);
      list.append(item);
    }
    $('source-body').replaceChildren(list);
    // What has to be proved comes first.
    const first = list.querySelector('.sign[role]')?.parentElement;
    const box = $('source-body');
    box.scrollTop = first && first.offsetTop > box.clientHeight - 40 ? first.offsetTop - box.clientHeight / 2 : 0;
  }

  function highlight(numbers, scrollTo) {
    const wanted = new Set(numbers);
    for (const [number, item] of lineElements) {
      const here = wanted.has(number);
      item.classList.toggle('here', here);
      if (here) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
      const sign = item.querySelector('.sign');
      if (!sign.hasAttribute('role')) sign.textContent = here ? '▸' : '';
    }
    const first = lineElements.get(scrollTo ?? Math.min(...wanted));
    const box = $('source-body');
    if (first && (first.offsetTop < box.scrollTop + 20 || first.offsetTop > box.scrollTop + box.clientHeight - 40)) {
      box.scrollTop = Math.max(0, first.offsetTop - box.clientHeight / 2);
    }
  }

  // ---- Stepping

  /** Buttons and a slider that go through `count` positions. */
  function player(what, count, go, jumps) {
    const button = (label, sign, delta) => h('button', {
      type: 'button', class: 'icon', 'aria-label': label, title: label, 'data-delta': delta, onclick: () => go(delta),
    }, icon(sign));
    const slider = h('input', {
      type: 'range', min: 1, max: count, value: 1, 'aria-label': what,
      oninput: () => go(Number(slider.value) - 1, true),
    });
    const number = h('span', { class: 'count' });
    const first = button('First step', 'M2 2h2v12H2zM14 2v12L5 8z', -count);
    const back = button('One step back', 'M12 2v12L3 8z', -1);
    const on = button('One step on', 'M4 2v12l9-6z', 1);
    const last = button('Last step', 'M12 2h2v12h-2zM2 2v12l9-6z', count);
    const jump = (label, sign, delta) => h('button', {
      type: 'button', class: 'icon', 'aria-label': label, title: label, onclick: () => jumps(delta),
    }, delta < 0 ? icon(sign) : null, 'path', delta > 0 ? icon(sign) : null);
    const element = h('div', { class: 'controls', role: 'group', 'aria-label': what },
      first, jumps ? jump('Error path before', 'M8 2v12L1 8zM15 2v12L8 8z', -1) : null, back, slider, on,
      jumps ? jump('Next error path', 'M1 2v12l7-6zM8 2v12l7-6z', 1) : null, last, number);
    return {
      element,
      update(at, words) {
        slider.value = at + 1;
        slider.setAttribute('aria-valuetext', `${at + 1} of ${count}: ${words}`);
        number.textContent = `${at + 1} / ${count}`;
        first.disabled = back.disabled = at === 0;
        last.disabled = on.disabled = at === count - 1;
      },
    };
  }

  let refinement = null;
  function buildRefinement() {
    const { unit, searches } = entry();
    const body = $('refinement-body');
    refinement = null;
    const explanation = unit?.explanation;
    const engines = explanation?.engines ?? [];
    const silent = engines.filter((engine) => engine.searches.length === 0).map((engine) =>
      h('li', {}, h('strong', {}, engine.name), ` ${decided(engine)}. (${engine.about}) `, h('span', { class: 'note' }, `${capital(engine.silent)}.`)));
    if (searches.length === 0) {
      let why = 'Nothing was recorded for this unit.';
      if (explanation && engines.length === 0) why = `There are no steps: ${explanation.nobody}.`;
      body.replaceChildren(...(silent.length > 0
        ? [h('ul', { class: 'plain' }, silent), silent.length > 1 ? h('p', { class: 'note' }, OTHERS) : '']
        : [h('p', {}, why)]));
      return;
    }
    const select = h('select', {
      id: 'search', onchange: () => {
        state.search = Number(select.value);
        state.step = 0;
        state.active = 'refinement';
        buildRefinement();
        show();
      },
    }, searches.map(({ engine, search: each }, i) =>
      h('option', { value: i, selected: i === state.search },
        `${engine.name}${each.phases ? ', loops split into phases' : ''}: ${plural(each.steps.length, 'step')}, ${decided(engine)}`)));
    const current = searches[state.search];
    const steps = current.search.steps;
    const control = player('Steps of the refinement', steps.length,
      (delta, absolute) => goStep(absolute ? delta : state.step + delta), jumpPath);
    const action = h('strong', { class: 'action' });
    const text = h('p', { role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true', id: 'step-text' });
    const rows = h('div', { id: 'step-rows' });
    const pictureBox = h('div', { id: 'abstraction' });
    const list = h('ol', { class: 'steps' }, steps.map((each, i) =>
      h('li', {}, h('button', { type: 'button', onclick: () => goStep(i) }, `${i + 1}. ${each.action}: ${texts[each.text]}`))));
    body.replaceChildren(
      h('p', { class: 'controls' }, h('label', { for: 'search' }, 'Engine'), ' ', select),
      h('p', { class: 'note' }, `${capital(current.engine.about)}. `,
        engines.length > 1 ? `${OTHERS} ` : '',
        current.search.left_out ? `${current.search.left_out}.` : ''),
      h('div', { class: 'player' }, control.element, h('div', { class: 'step' }, action, text)),
      pictureBox, rows,
      h('details', {}, h('summary', {}, `All ${plural(steps.length, 'step')}`), list),
      ...(silent.length > 0 ? [h('h3', {}, 'Other engines'), h('ul', { class: 'plain' }, silent)] : []));
    refinement = { control, action, text, rows, pictureBox, list };
  }

  const OTHERS = 'Engines that were still at work at the end are not shown.';
  const decided = (engine) => (engine.decided === 0 ? 'decided nothing' : `decided ${plural(engine.decided, 'error location')}`);

  function showRefinement() {
    if (!refinement) return;
    const { control, action, text, rows, pictureBox, list } = refinement;
    const now = step();
    const words = `${now.action}: ${texts[now.text]}`;
    control.update(state.step, words);
    action.textContent = now.action;
    text.replaceChildren(h('span', { class: 'count' }, `Step ${state.step + 1}. `), texts[now.text]);
    rows.replaceChildren(...(now.rows.length === 0 ? [] : [h('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Details of the step' },
      h('table', {}, h('caption', {}, CAPTIONS[now.action] ?? 'Formulas'),
        h('tbody', {}, now.rows.map(([about, formula]) =>
          h('tr', {}, h('th', { scope: 'row', class: 'mono' }, texts[about]), h('td', { class: 'mono' }, texts[formula]))))))]));
    const graph = search().frames[now.frame];
    // The interpolants stand at their states; rows and marks have one order.
    const notes = now.action !== 'interpolants' ? []
      : now.marks.map(([key], i) => [key, now.rows[i] && texts[now.rows[i][1]]]).filter(([, text]) => text !== undefined);
    pictureBox.replaceChildren(figure(graph, 'Abstract states', marksOf(now.marks), pictureBox, new Map(notes)));
    list.querySelectorAll('button').forEach((button, i) => {
      if (i === state.step) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    if (list.parentElement.open) {
      const current = list.querySelector('[aria-current]');
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  }

  const CAPTIONS = {
    'error path': 'The edges of the path and their formulas',
    interpolants: 'The interpolant at each state of the path',
    split: 'The two halves',
    expand: 'What holds at the successors',
    strengthen: 'What holds now',
    predicates: 'Where they are used',
    start: 'What is known beforehand',
  };

  let counterexample = null;
  function buildRun() {
    const { runs, file } = entry();
    $('run').hidden = runs.length === 0;
    counterexample = null;
    if (runs.length === 0) return;
    const select = h('select', {
      id: 'which', onchange: () => goRun(Number(select.value), 0),
    }, runs.map((each, i) => h('option', { value: i, selected: i === state.run }, `${lineName(file, each.line)}: ${each.words}`)));
    const all = h('input', {
      type: 'checkbox', id: 'all', checked: state.all, onchange: () => {
        const here = runSteps()[state.at];
        state.all = all.checked;
        const index = runSteps().indexOf(here);
        goRun(state.run, index < 0 ? 0 : index);
      },
    });
    const control = player('Steps of the run', runSteps().length,
      (delta, absolute) => goRun(state.run, absolute ? delta : state.at + delta));
    const text = h('p', { role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true', id: 'run-text' });
    const values = h('div', { id: 'run-values' });
    const list = h('ol', { class: 'steps' }, runSteps().map((each, i) =>
      h('li', {}, h('button', { type: 'button', onclick: () => goRun(state.run, i) }, `${i + 1}. ${lineName(file, each.line)}: ${sentence(each)}`))));
    $('run-body').replaceChildren(
      h('p', { class: 'controls' }, h('label', { for: 'which' }, 'Violated'), ' ', select, ' ', all,
        h('label', { for: 'all' }, 'also steps that tell little')),
      h('div', { class: 'player' }, control.element, text), values,
      run().left_out > 0 ? h('p', { class: 'note' }, `${plural(run().left_out, 'further step')} left out.`) : '',
      h('details', {}, h('summary', {}, `All ${plural(runSteps().length, 'step')}`), list));
    counterexample = { control, text, values, list };
  }

  function sentence(each) {
    const changes = each.changes.map(([name, value]) => `${texts[name]} = ${texts[value]}`);
    return [texts[each.text], each.remark, ...changes].filter((part) => part).join(', ');
  }

  // A map has one row, with what was written to it since it was known as a whole; so no value stands beside its older self.
  function put(known, name, value, last) {
    const element = /^([^[]+)((?:\[[^\]]*\])+)$/.exec(name);
    const whole = element && known.get(element[1]);
    if (whole) {
      const cells = new Map(whole.cells);
      cells.set(element[2].slice(0, -1), value);
      const updates = [...cells].map(([index, cell]) => `${index} := ${cell}]`).join('');
      known.set(element[1], { start: whole.start, cells, value: whole.start + updates, last });
      return;
    }
    for (const other of [...known.keys()]) if (other.startsWith(`${name}[`)) known.delete(other);
    known.set(name, { start: value, cells: [], value, last });
  }

  function showRun() {
    if (!counterexample) return;
    const { control, text, values, list } = counterexample;
    const now = runSteps()[state.at];
    control.update(state.at, sentence(now));
    const place = lineName(entry().file, now.line);
    const inside = now.depth > 0 ? ` (in ${texts[now.in]})` : '';
    text.replaceChildren(h('span', { class: 'count' }, `Step ${state.at + 1}. `),
      `${place}${inside}: `, h('code', {}, texts[now.text]), now.remark ? ` - ${now.remark}` : '');
    // All values up to here, those of hidden steps included.
    const known = new Map();
    for (const each of run().run) {
      for (const [name, value] of each.changes) put(known, texts[name], texts[value], each);
      if (each === now) break;
    }
    const previous = state.at > 0 ? runSteps()[state.at - 1] : null;
    const from = previous ? run().run.indexOf(previous) : -1;
    const fresh = new Set(run().run.slice(from + 1, run().run.indexOf(now) + 1));
    const rows = [...known].map(([name, { value, last }]) =>
      h('tr', {}, h('th', { scope: 'row', class: 'mono' }, name), h('td', { class: 'mono' },
        fresh.has(last) ? h('strong', {}, value) : value), h('td', {}, fresh.has(last) ? 'changed' : '')));
    values.replaceChildren(h('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Values' }, rows.length > 0
      ? h('table', {}, h('caption', {}, 'Values after this step'), h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Variable'),
        h('th', { scope: 'col' }, 'Value'), h('th', { scope: 'col' }, ''))), h('tbody', {}, rows))
      : h('p', { class: 'note' }, 'No variable has a value that matters yet.')));
    list.querySelectorAll('button').forEach((button, i) => {
      if (i === state.at) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  // ---- Program graphs

  function showGraph() {
    const explanation = entry().unit?.explanation;
    const body = $('graph-body');
    if (!explanation) {
      body.replaceChildren(h('p', {}, 'No graph was recorded for this unit.'));
      return;
    }
    const now = step();
    const here = state.active === 'run' ? null : now;
    const pairs = here ? [...here.places.map((place) => [`n${place}`, 'path']), ...here.edges.map((edge) => [`e${edge}`, 'path'])] : [];
    const parts = [];
    const old = [...body.querySelectorAll('figure')];
    const wasOpen = body.querySelector('#before')?.open;
    if (explanation.reduced) parts.push(figure(explanation.reduced, 'As the engines get it', marksOf(pairs), old[0]));
    const inBlocks = new Set(here && explanation.reduced
      ? explanation.reduced.edges.filter((edge) => here.edges.includes(edge.id)).flatMap((edge) => edge.parts) : []);
    const line = state.active === 'run' && run() ? runSteps()[state.at].line : null;
    const marked = explanation.source.edges.filter((edge) => inBlocks.has(edge.id) || (line !== null && edge.src.includes(line)));
    const before = h('details', { id: 'before', open: wasOpen || !explanation.reduced }, h('summary', {}, 'Before the reductions: an edge for each statement'),
      figure(explanation.source, 'As the program was read', marksOf(marked.map((edge) => [`e${edge.id}`, 'path'])), old[1]));
    parts.push(before);
    body.replaceChildren(...parts);
  }

  // ---- All together

  function linesOfStep() {
    const reduced = entry().unit?.explanation?.reduced;
    const now = step();
    if (!reduced || !now) return [];
    const find = (all, id) => all.find((each) => each.id === id)?.src ?? [];
    const edges = now.edges.flatMap((edge) => find(reduced.edges, edge));
    if (edges.length > 0) return edges;
    return now.places.flatMap((place) => find(reduced.nodes, place));
  }

  function show() {
    clamp();
    // What is chosen may be longer than the field.
    for (const field of document.querySelectorAll('select')) field.title = field.selectedOptions[0]?.textContent ?? '';
    showRefinement();
    showRun();
    showGraph();
    if (state.active === 'run' && run()) highlight([runSteps()[state.at].line]);
    else highlight(linesOfStep());
    $('run').classList.toggle('active', state.active === 'run');
    write();
  }

  function goStep(to) {
    state.step = to;
    state.active = 'refinement';
    show();
  }

  function jumpPath(direction) {
    const steps = search().steps;
    let at = state.step + direction;
    while (at > 0 && at < steps.length - 1 && steps[at].action !== 'error path') at += direction;
    goStep(at);
  }

  function goRun(which, at, scroll = false) {
    const other = which !== state.run;
    Object.assign(state, { run: which, at, active: 'run' });
    clamp();
    // The number of steps may be another one.
    if (other || counterexample?.list.children.length !== runSteps().length) {
      const focused = document.activeElement?.id;
      buildRun();
      if (focused) $(focused)?.focus();
    }
    show();
    if (scroll) {
      $('run').scrollIntoView();
      $('run-body').querySelector('input[type=range]').focus();
    }
  }

  function rebuild() {
    clamp();
    showResult();
    showSource();
    buildRefinement();
    buildRun();
    show();
  }

  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target;
    const delta = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (delta === undefined) return;
    // A slider moves by itself, other fields and regions that scroll need their arrows.
    const scrolls = target.closest?.('.scroll, .rows');
    if (scrolls && scrolls.scrollWidth > scrolls.clientWidth) return;
    if (target.matches?.('select, textarea, input:not([type=range])')) return;
    if (target.matches?.('input[type=range]') && !event.shiftKey) return;
    event.preventDefault();
    if (target.closest?.('#run')) state.active = 'run';
    else if (target.closest?.('#refinement')) state.active = 'refinement';
    if (state.active === 'run' && run()) goRun(state.run, state.at + delta);
    else if (search()) {
      if (event.shiftKey) jumpPath(delta);
      else goStep(state.step + delta);
    }
  });
  window.addEventListener('hashchange', () => {
    read();
    rebuild();
  });

  $('made-by').textContent = `Made by ult ${data.version}.`;
  if (units.length > 1) {
    $('choose-unit').hidden = false;
    const several = data.files.length > 1;
    $('unit').append(...units.map(({ file, unit }, i) =>
      h('option', { value: i }, `${several ? `${file.name}: ` : ''}${unit ? `${unit.name} (${unit.verdict})` : file.verdict}`)));
    $('unit').addEventListener('change', () => {
      Object.assign(state, { unit: Number($('unit').value), search: 0, step: 0, run: 0, at: 0, active: 'refinement' });
      rebuild();
    });
  }
  // What is violated is shown first, else what is open, else what there was something to prove about.
  const firsts = [
    ({ unit }) => unit?.verdict === 'UNSAFE',
    ({ unit }) => unit?.verdict === 'UNKNOWN',
    ({ unit }) => unit?.obligations.length > 0,
  ];
  state.unit = Math.max(0, firsts.map((is) => units.findIndex(is)).find((index) => index >= 0) ?? 0);
  // The engine that decided most is shown first.
  const best = entry().searches.findIndex(({ engine }) => engine.decided > 0);
  if (best >= 0) state.search = best;
  read();
  if (units.length > 1) $('unit').value = state.unit;
  rebuild();
})();
