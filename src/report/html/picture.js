'use strict';
// Elements, and graphs as pictures, each with a table that says the same. Everything is built with DOM
// calls, so no text of a program is ever taken for markup. `page.js` stands behind this in one script.

const data = JSON.parse(document.getElementById('data').textContent);
const texts = data.texts;
const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; children are elements or texts. */
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  return fill(element, attributes, children);
}
function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
/** A sign for a button. */
const icon = (d) => s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d }));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

const WORDS = { path: 'path', new: 'new', changed: 'changed', gone: 'goes', covered: 'covered', covers: 'covers' };
const KINDS = { plain: '', initial: 'start', loop: 'loop head', error: 'error location' };
let numberOfPictures = 0;

// An edge of a picture may stand for several.
const idsOf = (edge) => (edge.cover ? [] : edge.ids ?? [edge.id]);
const textsOf = (edge) => (edge.texts ?? [edge.text]).map((text) => texts[text]);

/** A graph as a picture, with a table that says the same. `marks` maps `n3` and `e4` to words. */
function figure(graph, caption, marks, previous, notes = new Map()) {
  const table = tableOf(graph, marks);
  const nodes = plural(graph.count?.[0] ?? graph.nodes.length, 'node');
  const edges = plural(graph.count?.[1] ?? graph.edges.reduce((sum, edge) => sum + idsOf(edge).length, 0), 'edge');
  const size = `${nodes}, ${edges}`;
  if (graph.full) {
    return h('figure', {}, h('figcaption', {}, `${caption}: ${size}`),
      h('p', { class: 'note' }, 'The pictures of earlier steps fill this page; the graph of this step is left out. What the step does is told here.'));
  }
  const details = h('details', {}, h('summary', {}, `As a table: ${size}`), table);
  if (previous?.querySelector('details')?.open) details.open = true;
  if (!graph.drawn) {
    details.open = true;
    return h('figure', {}, h('figcaption', {}, `${caption}: ${size}`),
      h('p', { class: 'note' }, 'Too large to be drawn; here is a list.',
        graph.count && graph.count[0] > graph.nodes.length ? ' Its end is left out.' : ''), details);
  }
  const name = `${caption}: ${size}. The table below says the same.`;
  const box = h('div', { class: 'scroll picture', tabindex: '0', role: 'region', 'aria-label': `${caption}, picture`, 'data-part': 'picture' },
    picture(graph, marks, name, notes));
  const old = previous?.querySelector('.picture');
  const focused = previous?.contains(document.activeElement) ? document.activeElement.dataset.part : undefined;
  const view = zoomable(box, caption);
  const result = h('figure', {}, h('figcaption', {}, `${caption} (${size})`), view.tools, box, legend(graph, marks), details);
  const [top, left] = [old?.scrollTop ?? 0, old?.scrollLeft ?? 0];
  queueMicrotask(() => {
    view.apply();
    box.scrollTop = top;
    box.scrollLeft = left;
    bringIntoView(box, !old);
    if (old) glide(old, box);
    if (focused) result.querySelector(`[data-part="${focused}"]`)?.focus({ preventScroll: true });
  });
  return result;
}

// How large the pictures are shown, by their captions; one without a factor takes the width that there is.
const factors = new Map();

/** Ways to make a picture larger and smaller, and to move it: buttons, keys, the wheel and the mouse. */
function zoomable(box, caption) {
  const svg = box.firstElementChild;
  const [width, height] = ['width', 'height'].map((name) => Number(svg.getAttribute(name)));
  const percent = h('span', { class: 'count', role: 'status', 'aria-label': `Size of ${caption}` });
  const factor = () => svg.getBoundingClientRect().width / width;
  function apply() {
    const wanted = factors.get(caption);
    // Wide pictures are made smaller, as long as they can be read.
    svg.style.width = wanted ? `${wanted * width}px` : `min(100%, ${width}px)`;
    svg.style.minWidth = wanted ? '0' : `${Math.round(0.65 * width)}px`;
    percent.textContent = `${Math.round(factor() * 100)} %`;
  }
  /** What is at a point of the box stays there. */
  function zoom(by, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const before = factor();
    const inside = svg.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    const [left, top] = [(frame.left + x - inside.left) / before, (frame.top + y - inside.top) / before];
    const after = Math.max(0.1, Math.min(8, before * by));
    factors.set(caption, after);
    apply();
    [box.scrollLeft, box.scrollTop] = [left * after - x, top * after - y];
  }
  function whole() {
    const room = Math.min(box.clientWidth / width, Number.parseFloat(getComputedStyle(box).maxHeight) / height);
    factors.set(caption, Math.max(0.1, Math.min(2, room * 0.98)));
    apply();
  }
  const STEP = 1.25;
  const ways = { '+': () => zoom(STEP), '=': () => zoom(STEP), '-': () => zoom(1 / STEP), 0: whole };
  box.addEventListener('keydown', (event) => {
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    way();
  });
  box.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const frame = box.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
  });
  let from = null;
  box.addEventListener('pointerdown', (event) => {
    // Where fingers move a picture, the browser does it; what is in the scroll bars is theirs.
    const isInside = event.offsetX < box.clientWidth + box.scrollLeft && event.offsetY < box.clientHeight + box.scrollTop;
    if (event.button !== 0 || event.pointerType !== 'mouse' || !isInside) return;
    event.preventDefault();
    box.focus({ preventScroll: true });
    box.setPointerCapture(event.pointerId);
    from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
  });
  box.addEventListener('pointermove', (event) => {
    if (from) [box.scrollLeft, box.scrollTop] = [from.x - event.clientX, from.y - event.clientY];
  });
  for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, () => { from = null; });
  const button = (words, part, sign, way) => h('button', {
    type: 'button', class: 'icon', 'aria-label': `${words}: ${caption}`, title: words, 'data-part': part, onclick: way,
  }, icon(sign));
  const tools = h('div', { class: 'zoom', role: 'group', 'aria-label': `Size of ${caption}` },
    button('Smaller', 'smaller', 'M2 7h12v2H2z', ways['-']), percent, button('Larger', 'larger', 'M7 2h2v5h5v2H9v5H7V9H2V7h5z', ways['+']),
    button('The whole picture', 'whole', 'M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z', whole));
  return { tools, apply };
}

/** What the signs of a picture mean: of those that are in it. */
function legend(graph, marks) {
  const swatch = (kind, classes, ...shapes) => s('svg', { class: 'swatch', width: 28, height: 18, viewBox: '0 0 28 18', 'aria-hidden': 'true' },
    s('g', { class: [kind, ...classes].join(' ') }, ...shapes));
  const box = (...classes) => swatch('node', classes, s('rect', { x: 3, y: 2.5, width: 22, height: 13, rx: classes.includes('error') ? 1 : 4 }),
    classes.includes('loop') ? s('rect', { class: 'inner', x: 5.5, y: 5, width: 17, height: 8, rx: 2 }) : null);
  const line = (...classes) => swatch('edge', classes, s('path', { d: 'M2 9H26' }));
  const words = [new Set(), new Set()];
  for (const [key, said] of marks) for (const word of said) words[key.startsWith('n') ? 0 : 1].add(word);
  const kinds = new Set(graph.nodes.map((node) => node.kind));
  const items = Object.keys(KINDS).filter((kind) => kinds.has(kind)).map((kind) => [box(kind), KINDS[kind] || 'location']);
  const meaning = { ...WORDS, path: 'here' };
  items.push(...Object.keys(WORDS).filter((word) => words[0].has(word)).map((word) => [box(word), meaning[word]]));
  items.push(...Object.keys(WORDS).filter((word) => words[1].has(word)).map((word) => [line(word), word === 'path' ? 'on the path' : meaning[word]]));
  if (graph.edges.some((edge) => edge.cover)) items.push([line('cover'), 'covered by']);
  return h('ul', { class: 'legend', 'aria-label': 'Legend' }, items.map(([sign, text]) => h('li', {}, sign, text)));
}

/** Nodes that stay move from their old places to the new ones, so that the eye can follow. */
function glide(old, box) {
  const places = new Map([...old.querySelectorAll('[data-node]')].map((node) => [node.dataset.node, node.style.transform]));
  const moved = [...box.querySelectorAll('[data-node]')].filter((node) =>
    places.has(node.dataset.node) && places.get(node.dataset.node) !== node.style.transform);
  const wanted = moved.map((node) => node.style.transform);
  for (const node of moved) {
    node.style.transition = 'none';
    node.style.transform = places.get(node.dataset.node);
  }
  box.getBoundingClientRect();
  moved.forEach((node, i) => {
    node.style.transition = '';
    node.style.transform = wanted[i];
  });
}

/** Scrolls a picture to what is marked, if that is out of sight; a new one to its beginning, if nothing is. */
function bringIntoView(box, isFirst) {
  let marked = [...box.querySelectorAll('[data-marked]')];
  if (marked.length === 0 && isFirst) marked = [...box.querySelectorAll('.node.initial')];
  if (marked.length === 0) return;
  const frame = box.getBoundingClientRect();
  const places = marked.map((element) => element.getBoundingClientRect());
  const top = Math.min(...places.map((place) => place.top)) - frame.top + box.scrollTop;
  const bottom = Math.max(...places.map((place) => place.bottom)) - frame.top + box.scrollTop;
  if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) {
    box.scrollTop = Math.max(0, Math.min(top - 20, (top + bottom - box.clientHeight) / 2));
  }
  const left = Math.min(...places.map((place) => place.left)) - frame.left + box.scrollLeft;
  const right = Math.max(...places.map((place) => place.right)) - frame.left + box.scrollLeft;
  if (left < box.scrollLeft || right > box.scrollLeft + box.clientWidth) {
    box.scrollLeft = Math.max(0, Math.min(left - 20, (left + right - box.clientWidth) / 2));
  }
}

function picture(graph, marks, name, notes) {
  const margin = 28;
  const entrance = 20;
  const [width, height] = [graph.size[0] + 2 * margin, graph.size[1] + 2 * margin + entrance];
  const id = `picture${numberOfPictures++}`;
  const body = s('g', { transform: `translate(${margin} ${margin + entrance})` });
  const classes = (words, kind) => [kind, ...words].join(' ');
  const wordsOf = (edge) => [...new Set(idsOf(edge).flatMap((id) => marks.get(`e${id}`) ?? []))];
  const tip = `url(#${id}-tip)`;
  for (const edge of graph.edges) {
    body.append(s('g', { class: edge.cover ? 'edge cover' : classes(wordsOf(edge), 'edge') },
      s('title', {}, edge.cover ? 'covered by' : `${nameOf(graph, edge.from)} → ${nameOf(graph, edge.to)}: ${textsOf(edge).join('\n')}`),
      s('path', { d: edge.d, 'marker-end': tip })));
  }
  for (const edge of graph.edges) {
    if (!edge.lines) continue;
    const [x, y, w, height] = edge.at;
    const text = edge.lines.map((line, i) => s('text', {
      x: x + w / 2, y: y + height / 2 + (i - (edge.lines.length - 1) / 2) * 13.5 + 3.6, 'text-anchor': 'middle',
    }, texts[line]));
    const gone = idsOf(edge).filter((id) => marks.get(`e${id}`)?.includes('gone')).length;
    const all = gone === idsOf(edge).length;
    const words = wordsOf(edge).filter((word) => word !== 'gone' || all);
    body.append(s('g', { class: edge.cover ? 'label cover' : classes(words, 'label'), 'data-marked': gone > 0 },
      s('rect', { x, y, width: w, height, rx: 2 }), text,
      gone > 0 ? badgeAt(x + w / 2, y - 8, 'gone', all ? WORDS.gone : `${gone} of them`) : null));
  }
  for (const node of graph.nodes) {
    const [x, y, w, height] = node.at;
    const words = marks.get(`n${node.id}`) ?? [];
    const group = s('g', {
      class: [classes(words, 'node'), node.kind, node.cover != null ? 'is-covered' : ''].join(' '),
      'data-marked': words.length > 0, 'data-node': node.id,
    });
    group.style.transform = `translate(${x}px, ${y}px)`;
    if (node.kind === 'initial') {
      body.append(s('g', { class: 'edge' }, s('path', { d: `M${x + w / 2} ${y - entrance} L${x + w / 2} ${y}`, 'marker-end': tip })));
    }
    const corner = node.kind === 'error' ? 1 : 8;
    const construct = node.construct == null ? '' : `, ${texts[node.construct]}`;
    group.append(s('title', {}, `${texts[node.name]}${construct}: ${node.text == null ? KINDS[node.kind] : texts[node.text]}`));
    group.append(s('rect', { x: 0, y: 0, width: w, height, rx: corner }));
    if (node.kind === 'loop') group.append(s('rect', { class: 'inner', x: 3.5, y: 3.5, width: w - 7, height: height - 7, rx: 5 }));
    node.lines.forEach((line, i) => group.append(s('text', {
      x: w / 2, y: height / 2 + (i - (node.lines.length - 1) / 2) * 16 + 4.4, 'text-anchor': 'middle',
      'font-weight': i === 0 ? 'bold' : null,
    }, texts[line])));
    const told = words.filter((word) => word !== 'path');
    if (told.length > 0) group.append(badgeAt(w - 6, -2, told[0]));
    const note = notes.get(`n${node.id}`);
    if (note !== undefined) group.append(noteAt(w / 2, height + 2, note));
    body.append(group);
  }
  return s('svg', {
    width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name,
  }, s('defs', {}, s('marker', {
    id: `${id}-tip`, viewBox: '0 0 10 8', refX: 9, refY: 4, markerWidth: 9, markerHeight: 7.2,
    markerUnits: 'userSpaceOnUse', orient: 'auto',
  }, s('path', { class: 'tip', d: 'M0 0 L10 4 L0 8 L2 4 Z' }))), body);
}

/** A small sign with a word, so that colour is not all. */
function badgeAt(x, y, word, text = WORDS[word]) {
  const width = text.length * 6.4 + 12;
  return s('g', { transform: `translate(${x - width / 2} ${y})` },
    s('rect', { class: `badge-box badge-${word}`, x: 0, y: -8, width, height: 15, rx: 7 }),
    s('text', { class: 'badge-text', x: width / 2, y: 3.4, 'text-anchor': 'middle' }, text));
}

/** What is said about a node in this step alone. */
function noteAt(x, y, text) {
  const short = text.length > 36 ? `${text.slice(0, 35)}…` : text;
  const width = short.length * 6.7 + 12;
  return s('g', { class: 'remark', transform: `translate(${x - width / 2} ${y})` }, s('title', {}, text),
    s('rect', { x: 0, y: 0, width, height: 17, rx: 3 }),
    s('text', { x: width / 2, y: 12.4, 'text-anchor': 'middle' }, short));
}

const nameOf = (graph, index) => texts[graph.nodes[index].name];

function tableOf(graph, marks) {
  const rows = graph.nodes.map((node, index) => {
    const said = marks.get(`n${node.id}`) ?? [];
    const notes = [node.construct == null ? '' : texts[node.construct], KINDS[node.kind], node.cover == null ? '' : `covered by ${texts[node.cover]}`,
      ...said.map((word) => WORDS[word])];
    const edges = graph.edges.filter((edge) => edge.from === index && !edge.cover);
    return h('tr', {}, h('th', { scope: 'row', class: 'mono' }, texts[node.name]),
      h('td', {}, notes.filter((note) => note !== '').join(', ')),
      h('td', { class: 'mono' }, node.text == null ? '' : texts[node.text]),
      h('td', { class: 'mono' }, h('ul', { class: 'plain' }, edges.flatMap((edge) => idsOf(edge).map((id, i) => {
        const words = (marks.get(`e${id}`) ?? []).map((word) => WORDS[word]);
        return h('li', {}, `→ ${nameOf(graph, edge.to)}: ${textsOf(edge)[i]}`,
          words.length > 0 ? h('strong', {}, ` [${words.join(', ')}]`) : null);
      })))));
  });
  return h('div', { class: 'scroll rows', tabindex: '0', role: 'region', 'aria-label': 'Table of the graph' },
    h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Node'), h('th', { scope: 'col' }, 'What it is'),
      h('th', { scope: 'col' }, 'What holds there'), h('th', { scope: 'col' }, 'Edges'))), h('tbody', {}, rows)));
}

function marksOf(pairs) {
  const marks = new Map();
  for (const [key, word] of pairs) {
    const words = marks.get(key) ?? [];
    if (!words.includes(word)) words.push(word);
    marks.set(key, words);
  }
  return marks;
}
