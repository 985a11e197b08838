// The laboratory. `picture.js` stands before this in one script. What is shown is decided by `state`; `show` draws it.
(() => {
  const $ = (id) => document.getElementById(id);
  const state = {
    // What is going on, as the server tells it.
    version: 0, steps: [], status: 'idle', question: null, feedback: null, score: { asked: 0, right: 0 }, result: null,
    // Whether somebody steps through a search, and which step is looked at.
    stepping: false, at: 0,
    // What was typed as interpolants.
    typed: [],
    example: 0,
  };
  // Of what was begun before, nothing is heard any more.
  let round = 0;

  // ---- The server, or what was recorded

  async function remote(place, body) {
    const response = await fetch(place, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error ?? `the server answers ${response.status}`);
    return answer;
  }

  /** Plays what was recorded of an example. */
  const replay = { moves: [], at: 0, steps: [], feedback: null, asked: 0, right: 0, shown: false };
  function told() {
    const move = replay.moves[replay.at] ?? {};
    const result = move.result ?? null;
    // The engine's interpolants are shown when they are asked for.
    const question = move.question ? { ...move.question, own: replay.shown ? move.question.own : null } : null;
    return {
      version: 0, status: result ? 'done' : 'waiting', first: 0, steps: replay.steps, question,
      feedback: replay.feedback, score: { asked: replay.asked, right: replay.right }, result,
    };
  }
  async function local(place, body) {
    const example = data.examples[state.example];
    const own = example && example.text === $('text').value;
    if (place === 'read') return { diagnostics: [] };
    if (place === 'begin') {
      if (!own) throw new Error('Without a server only the examples as they are can be looked at. Start “ult lab” to check your own.');
      Object.assign(replay, { at: 0, feedback: null, shown: false, asked: 0, right: 0, moves: body.engine ? example.moves : [{ steps: [], result: example.check }] });
      if (body.engine && body.engine !== 'slicing') throw new Error('Recorded is slicing abstraction. Start “ult lab” for the other engines.');
      replay.steps = [...replay.moves[0].steps];
      return told();
    }
    const move = replay.moves[replay.at];
    if (place === 'propose') throw new Error('Whether these are interpolants has to be asked of the solver: start “ult lab”.');
    replay.feedback = null;
    if (place === 'reveal') {
      replay.shown = true;
      return told();
    }
    replay.shown = false;
    if (place === 'predict') {
      const right = JSON.stringify(move.question.right) === JSON.stringify([...body.choices].sort((a, b) => a - b));
      replay.asked += 1;
      replay.right += right ? 1 : 0;
      replay.feedback = { kind: move.question.kind, right, answer: move.question.right.map((i) => move.question.choices[i].text), why: move.question.why };
    }
    do {
      replay.at += 1;
      replay.steps.push(...replay.moves[replay.at].steps);
    } while (body.all && replay.at + 1 < replay.moves.length);
    return told();
  }
  const ask = data.server ? remote : local;

  async function tell(place, body = {}) {
    const now = round;
    try {
      let answer = await ask(place, { ...body, from: state.steps.length });
      if (now !== round) return;
      take(answer);
      while (state.status === 'thinking') {
        show();
        // What goes by itself is shown a few times in a second.
        await new Promise((done) => setTimeout(done, 100));
        answer = await ask('news', { from: state.steps.length, version: state.version });
        if (now !== round) return;
        take(answer);
      }
      trouble(null);
    } catch (error) {
      if (now !== round) return;
      trouble(error instanceof TypeError ? 'The server does not answer. Is “ult lab” still running?' : capital(error.message));
    }
    show();
  }

  function take(answer) {
    const grew = answer.steps.length > 0;
    state.steps = [...state.steps.slice(0, answer.first), ...answer.steps];
    if (grew) state.at = state.steps.length - 1;
    const other = JSON.stringify(answer.question?.positions) !== JSON.stringify(state.question?.positions);
    if (other || answer.question?.kind !== 'interpolants') Object.assign(state, { typed: [] });
    for (const key of ['version', 'left_out', 'status', 'question', 'feedback', 'score', 'result']) state[key] = answer[key];
  }

  function begin(engine) {
    round += 1;
    Object.assign(state, { version: 0, steps: [], status: 'thinking', question: null, feedback: null, result: null, at: 0, stepping: engine !== null, typed: [], score: { asked: 0, right: 0 } });
    show();
    return tell('begin', { ...program(), engine });
  }
  const program = () => ({ language: $('language').value, text: $('text').value });

  function trouble(words) {
    $('trouble').hidden = words === null;
    $('trouble').textContent = words ?? '';
    if (words !== null) Object.assign(state, { status: state.status === 'thinking' ? 'idle' : state.status });
  }

  // ---- The editor

  let messages = [];
  function gutter(here = []) {
    const count = $('text').value.split('\n').length;
    const wrong = new Set(messages.filter((message) => message.severity === 'error').map((message) => message.line));
    $('gutter').replaceChildren(...Array.from({ length: count }, (_, i) =>
      h('div', { class: wrong.has(i + 1) ? 'wrong' : here.includes(i + 1) ? 'here' : null }, String(i + 1))));
    $('gutter').scrollTop = $('text').scrollTop;
  }
  function goTo(line, column) {
    const area = $('text');
    const before = area.value.split('\n').slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus();
    area.setSelectionRange(before + (column ?? 1) - 1, before + (column ?? 1) - 1);
  }
  function showMessages(found) {
    messages = found;
    $('messages').replaceChildren(...found.map((message) => h('li', {},
      h('button', { type: 'button', onclick: () => goTo(message.line ?? 1, message.column) },
        `${message.line ? `Line ${message.line}: ` : ''}${message.message}${message.help ? ` (${message.help})` : ''} [${message.id}]`))));
    gutter();
  }
  let reading;
  function edited() {
    gutter();
    clearTimeout(reading);
    reading = setTimeout(async () => {
      const now = $('text').value;
      try {
        const answer = await ask('read', program());
        if (now === $('text').value) showMessages(answer.diagnostics);
      } catch {
        // A later check says it.
      }
    }, 400);
  }

  // ---- Showing

  const SIGNS = { SAFE: '✓', UNSAFE: '✗', UNKNOWN: '?', REJECTED: '✗', NOTHING: '' };
  function showVerdict() {
    const box = $('verdict');
    if (state.result?.verdict) {
      const verdict = state.result.verdict;
      const word = verdict.split(/[ (]/)[0];
      box.replaceChildren(h('span', { class: `badge ${word.toLowerCase()}` }, `${SIGNS[word] ?? ''} ${verdict}`), ` ${state.result.words.replace(/^ult: \S+ \S+:? ?/, '')}`);
    } else if (state.result?.bug) box.textContent = `A bug in ult: ${state.result.bug}`;
    else if (state.status === 'thinking') box.textContent = state.stepping ? 'The engine thinks …' : 'It is being checked …';
    else if (state.stepping && state.status === 'waiting') box.textContent = 'The verdict comes when the refinement is over.';
    else box.textContent = '';
    $('score').textContent = state.stepping ? `Predictions: ${state.score.right} of ${state.score.asked} right` : '';
  }

  let reported = null;
  function showResult() {
    const result = state.result;
    $('result').hidden = !result?.text;
    if (!result?.text) {
      reported = null;
      return;
    }
    if (reported === result.text + round) return;
    reported = result.text + round;
    showMessages(result.report.diagnostics);
    const address = data.server ? `report?${round}` : data.examples[state.example].report;
    const frame = h('div', {});
    const details = h('details', { ontoggle: () => {
      if (details.open && frame.childElementCount === 0) frame.append(h('iframe', { src: address, title: 'Static report of this run' }));
    } }, h('summary', {}, 'The report: program graph, each step, counterexample'), frame);
    const invariants = (result.report.units ?? []).flatMap((unit) => unit.invariants ?? []);
    $('result-body').replaceChildren(h('pre', {}, result.text.trimEnd()),
      invariants.length === 0 ? '' : h('div', {}, h('p', {}, 'The proof rests on:'), h('ul', { class: 'plain' }, invariants.map((invariant) =>
        h('li', {}, invariant.line ? `loop at line ${invariant.line}: ` : `${invariant.location}: `, h('span', { class: 'mono' }, invariant.formula))))),
      h('p', {}, h('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open the report in a page of its own')), details);
  }

  function button(words, action, more = {}) {
    return h('button', { type: 'button', onclick: action, ...more }, words);
  }

  async function go(place, body) {
    await tell(place, body);
    $('ask').focus({ preventScroll: true });
    $('ask').scrollIntoView({ block: 'nearest' });
  }

  let asked = null;
  function showQuestion() {
    const question = state.question;
    const key = JSON.stringify([question, state.status, state.steps.length, state.left_out, state.stepping, round]);
    if (key === asked) return;
    asked = key;
    const box = $('ask');
    if (!question || state.status !== 'waiting') {
      const words = !state.stepping ? 'Step through the refinement to see how the proof comes about, and to predict each step.'
        : state.status === 'done' ? `The refinement is over.${state.left_out > 0 ? ` ${state.left_out} further steps are not shown.` : ''}` : 'The engine thinks …';
      box.replaceChildren(h('p', { class: 'note' }, words));
      return;
    }
    box.replaceChildren(question.kind === 'interpolants' ? interpolants(question) : choices(question));
  }

  function choices(question) {
    const type = question.several ? 'checkbox' : 'radio';
    const chosen = () => [...form.querySelectorAll('input:checked')].map((input) => Number(input.value));
    const form = h('form', { onsubmit: (event) => {
      event.preventDefault();
      if (chosen().length > 0) go('predict', { choices: chosen() });
    }, onchange: () => {
      predict.disabled = chosen().length === 0;
      drawStep(chosen().flatMap((i) => question.choices[i].marks).map((mark) => [mark, 'path']));
    } });
    const predict = h('button', { type: 'submit', disabled: true }, 'Predict');
    form.append(h('fieldset', {}, h('legend', {}, question.text),
      question.several ? h('p', { class: 'note' }, 'One or several.') : null,
      question.choices.map((choice, i) => h('label', { class: 'choice' }, h('input', { type, name: 'choice', value: i }), h('span', { class: choice.marks.length > 0 ? 'mono' : null }, choice.text))),
      h('div', { class: 'controls' }, predict,
        button('Show the step', () => go('next', {})), button('Go on to the end', () => go('next', { all: true })))));
    return form;
  }

  function interpolants(question) {
    const fields = question.positions.map((position, i) => {
      const where = position.lines.length > 0 ? ` (line ${position.lines.join(', ')})` : '';
      const names = position.vocabulary.length > 0 ? `may name ${position.vocabulary.join(', ')}` : 'may name no variable';
      return h('div', { class: 'interpolant' },
        h('label', { for: `interpolant${i}` }, `At ${position.state}${where}, `, h('span', { class: 'note' }, names)),
        h('input', { type: 'text', id: `interpolant${i}`, autocomplete: 'off', spellcheck: 'false', value: state.typed[i] ?? '', oninput: (event) => { state.typed[i] = event.target.value; } }));
    });
    const propose = (event) => {
      event.preventDefault();
      tell('propose', { formulas: question.positions.map((_, i) => state.typed[i] ?? '') });
    };
    const shown = question.own ?? null;
    const own = shown === null ? [] : Array.isArray(question.own) ? question.own.map((formula, i) => `${question.positions[i].state}: ${formula}`) : [`none: ${question.own.none}`];
    return h('form', { onsubmit: propose }, h('fieldset', {}, h('legend', {}, question.text),
      h('p', { class: 'note' }, 'An interpolant follows from the path before it, excludes the path behind it, and names only what matters on both sides. An empty field is filled so that it fits.'),
      fields,
      shown !== null ? h('p', {}, 'The engine’s own: ', h('span', { class: 'mono' }, own.join('; '))) : null,
      h('div', { class: 'controls' }, h('button', { type: 'submit' }, 'Are these interpolants?'),
        question.accepted ? button(`Go on with mine: ${question.accepted.join('; ')}`, () => go('next', {})) : null,
        button('Go on with the engine’s', () => go('next', { alone: true })),
        shown !== null ? null : button('Show the engine’s', () => go('reveal', {})),
        button('Go on to the end', () => go('next', { all: true })))));
  }

  function showFeedback() {
    const box = $('feedback');
    const told = state.feedback;
    box.className = told ? (told.right ? 'right' : 'wrong') : '';
    if (!told) {
      box.replaceChildren();
      return;
    }
    const sign = h('strong', { class: told.right ? 'right' : 'wrong' }, told.right ? '✓ Right. ' : '✗ Not so. ');
    if (told.kind !== 'interpolants') {
      box.replaceChildren(h('p', {}, sign, told.right ? '' : h('span', {}, 'The engine: ', h('span', { class: 'mono' }, told.answer.join('; ') || 'none of these'), '. ')), h('p', { class: 'note' }, told.why));
      return;
    }
    const where = told.position ? ` at ${state.question?.positions?.[told.position - 1]?.state ?? told.position}` : '';
    const column = told.column ? `, column ${told.column}` : '';
    const parts = [h('p', {}, sign, told.outcome === 'unreadable' ? `What is typed${where}${column} cannot be read: ${told.text}` : `${capital(told.text)}.`)];
    if (told.moments) {
      const names = [...new Set(told.moments.flatMap((moment) => moment.values.map(([name]) => name)))];
      parts.push(h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'The model that shows it' }, h('table', {}, h('caption', {}, 'The model that shows it'),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'At'), h('th', { scope: 'col' }, 'Lines'), names.map((name) => h('th', { scope: 'col', class: 'mono' }, name)))),
        h('tbody', {}, told.moments.map((moment) => h('tr', {}, h('th', { scope: 'row', class: 'mono' }, moment.state), h('td', {}, moment.lines.join(', ')),
          names.map((name) => h('td', { class: 'mono' }, moment.values.find(([known]) => known === name)?.[1] ?? ''))))))));
    }
    if (told.formulas) {
      parts.push(h('ul', { class: 'plain' }, told.formulas.map((formula, i) =>
        h('li', {}, `${state.question?.positions?.[i]?.state ?? i + 1}: `, h('span', { class: 'mono' }, formula), h('span', { class: 'note' }, ` – ${told.compared[i]}`)))));
    }
    box.replaceChildren(...parts);
  }

  const pictureBox = h('div', {});
  /** The step that is looked at, with what is chosen in the picture. */
  function drawStep(more = []) {
    const shown = state.steps[state.at];
    if (!shown) return;
    texts.splice(0, texts.length, ...shown.texts);
    const now = shown.step;
    const notes = now.action !== 'interpolants' ? []
      : now.marks.map(([key], i) => [key, now.rows[i] && texts[now.rows[i][1]]]).filter(([, text]) => text !== undefined);
    pictureBox.replaceChildren(figure(shown.picture, 'Abstract states', marksOf([...now.marks, ...more]), pictureBox, new Map(notes)));
  }

  function showStep() {
    const box = $('step');
    const shown = state.steps[state.at];
    if (!shown) {
      box.replaceChildren();
      gutter();
      return;
    }
    texts.splice(0, texts.length, ...shown.texts);
    const now = shown.step;
    const look = (at) => {
      state.at = at;
      show();
    };
    const back = button('Earlier step', () => { look(state.at - 1); $('step').querySelector('[data-way=back]')?.focus(); }, { disabled: state.at === 0, 'data-way': 'back' });
    const on = button('Later step', () => { look(state.at + 1); $('step').querySelector('[data-way=on]')?.focus(); }, { disabled: state.at + 1 >= state.steps.length, 'data-way': 'on' });
    box.replaceChildren(
      h('h3', {}, `Step ${state.at + 1}${state.at + 1 < state.steps.length ? ` of ${state.steps.length}` : ''}: ${now.action}`),
      h('p', { id: 'step-text' }, `${texts[now.text]}.`),
      now.rows.length === 0 ? '' : h('div', { class: 'rows', tabindex: '0', role: 'region', 'aria-label': 'Details of the step' }, h('table', {}, h('tbody', {}, now.rows.map(([about, formula]) =>
        h('tr', {}, h('th', { scope: 'row', class: 'mono' }, texts[about]), h('td', { class: 'mono' }, texts[formula])))))),
      h('div', { class: 'controls' }, back, on),
      pictureBox);
    drawStep();
    gutter(shown.lines);
  }

  let drawn = null;
  function show() {
    showVerdict();
    showResult();
    showFeedback();
    showQuestion();
    const key = `${round} ${state.steps.length} ${state.at}`;
    if (key !== drawn) {
      drawn = key;
      showStep();
    }
    $('cancel').disabled = !(state.status === 'thinking' || state.status === 'waiting');
    document.body.dataset.status = state.status;
  }

  // ---- The beginning

  $('text').addEventListener('scroll', () => { $('gutter').scrollTop = $('text').scrollTop; });
  $('text').addEventListener('input', edited);
  $('text').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.ctrlKey) {
      event.preventDefault();
      begin(null);
    }
  });
  $('check').addEventListener('click', () => begin(null));
  $('begin').addEventListener('click', () => begin($('engine').value).then(() => $('ask').focus({ preventScroll: true })));
  $('cancel').addEventListener('click', () => tell('cancel'));
  $('language').addEventListener('change', edited);
  $('example').append(...data.examples.map((example, i) => h('option', { value: i }, example.name)));
  function choose(number) {
    state.example = number;
    $('text').value = data.examples[number].text;
    $('language').value = data.examples[number].language;
    showMessages([]);
    return begin(null);
  }
  $('example').addEventListener('change', () => choose(Number($('example').value)));
  $('made-by').textContent = `Made by ult ${data.version}.`;

  // A folder that was told of a server leads there.
  const server = new URLSearchParams(location.search).get('server');
  if (!data.server) {
    if (server !== null && /^http:\/\/(127\.0\.0\.1|localhost):[0-9]+\/[0-9a-f]+\/$/.test(server)) location.replace(server);
    else $('made-by').textContent += ' This page has no server: what it shows was recorded. “ult lab” starts one.';
  }
  choose(0);
})();
