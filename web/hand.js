// A hand in the tree: the user chooses a node of the trained tree, sees the best split on each column there, takes one, moves a threshold, or
// makes the node a leaf, and the rest is searched again with proof. All that is fixed so is the option top of the command (docs/command.md):
// "..." in the place of all fixes nothing. Trees that are nearly as good, and those without a column, are other trees to begin with.
// A path is a word of l and r, from the root.
'use strict';
const handIn = ({ $, make, send, halt, complaint, number, list: named, use }) => {
  const kFree = '...', kMark = '?';
  // states: trees that were made by hand, the first one without a wish; those behind `at` can be done again. `base`: the command without its
  // top; only the columns that are left out differ in it.
  let states = [], at = 0, chosen = null, opened = 0;
  let running = null, solving = false; // running: { answer, isList }
  const lists = new Map(); // what was found out about a place: marked top -> { columns, leaf, unit, status }

  const state = () => states[at];
  const side = (letter) => (letter === 'l' ? 'left' : 'right');

  // --- trees and wishes ----------------------------------------------------------------------------------------------
  const fileOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
  const costIn = ({ result, objective }) => result.objective * (objective.error_scale ?? 1);
  const read = (fit) => {
    const file = fileOf(fit.tree), lines = fit.printed.split('\n'), nodes = new Map();
    const visit = (id, path) => { // the command prints the nodes in this order, three letters further in for each level
      const node = file.tree.nodes[id];
      nodes.set(path, { ...node, id, text: lines[nodes.size].slice(3 * path.length) });
      if (node.split) for (const letter of 'lr') visit(node[side(letter)], path + letter);
    };
    visit(0, '');
    return { ...fit, nodes, features: file.tree.features, isNumber: file.tree.loss !== undefined, result: file.result, cost: costIn(file) };
  };

  const levels = (split, { levels }) => (split.kind === 'categories' ? split.left_levels.map((level) => levels[level]) : levels.filter((_, level) => level < split.threshold));

  const splitOf = ({ split }, features = state().features) => {
    const feature = features[split.feature];
    return { column: feature.name, ...(feature.levels ? { levels: levels(split, feature) } : { below: split.threshold }),
      ...(feature.has_missing ? { missing: split.missing_left ? 'left' : 'right' } : {}) };
  };

  const wished = (path) => [...path].reduce((top, letter) => top?.[side(letter)] ?? kFree, state().top);
  const isFixed = (path) => wished(path) !== kFree;

  // The wish with something else in a place. The splits above it stay as they are.
  const put = (path, part) => {
    const inside = (top, done) => {
      if (done === path.length) return part(top);
      const split = typeof top === 'object' ? top : { ...splitOf(state().nodes.get(path.slice(0, done))), left: kFree, right: kFree };
      const on = side(path[done]);
      return { ...split, [on]: inside(split[on], done + 1) };
    };
    return inside(state().top, 0);
  };
  const split = (rule, top) => ({ ...rule, left: top.left ?? kFree, right: top.right ?? kFree });
  const isFree = ({ top, base } = state()) => top === kFree && base === states[0].base;

  // All splits and leaves of a tree file.
  const whole = ({ features, nodes }, id = 0) => {
    const node = nodes[id];
    return node.split ? { ...splitOf(node, features), left: whole({ features, nodes }, node.left), right: whole({ features, nodes }, node.right) } : 'leaf';
  };

  // --- runs ----------------------------------------------------------------------------------------------------------
  // One at a time: a list that is still being made ends for what comes next.
  const quiet = async () => {
    while (running) {
      if (running.isList || $('change').hidden) halt();
      await running.answer;
    }
  };
  const run = async (words, how = {}, isList = false) => {
    $('hand-stop').hidden = false;
    running = { answer: send(words, how), isList };
    const answer = await running.answer;
    running = null;
    $('hand-stop').hidden = true;
    return answer;
  };
  // The answer to what is listed in `shown`; null where something else is shown by then, or a complaint in `head`.
  const answered = async (words, how, shown, head) => {
    await quiet();
    if (!shown.isConnected) return null;
    const answer = await run([...words, '--json'], how, true);
    if (!shown.isConnected) return null;
    if (answer.code === 0) return answer;
    head.textContent = complaint(answer);
    return null;
  };

  const say = (text, problem = '') => {
    $('hand-said').textContent = text;
    $('hand-problem').textContent = problem;
  };

  const wish = async (top, base = state().base) => {
    if (solving) return;
    if (isFree({ top, base })) return go(0, true);
    solving = true;
    const mine = opened;
    await quiet();
    const words = top === kFree ? base : [...base, '--top', JSON.stringify(top)];
    say('The rest is searched again.');
    if ($('hand-node').contains(document.activeElement)) itemAt(chosen ?? '').focus();
    $('hand-node').inert = true; // what is entered there now would be lost
    const fit = await use.fit(words, run);
    $('hand-node').inert = solving = false;
    if (mine !== opened) return;
    if (fit.problem !== undefined) return say('', fit.problem);
    say('');
    states.splice(at + 1, states.length, read({ ...fit, words, base, top }));
    go(at + 1);
  };

  // Shows another state; `anew`: as one more that can be undone.
  const go = (to, anew) => {
    if (solving) return;
    if (anew) states.splice(at + 1, states.length, states[to]);
    at = anew ? states.length - 1 : to;
    use.show(state());
    show();
  };

  // --- the tree ------------------------------------------------------------------------------------------------------
  const unit = (cost) => (['--alpha', '--costs'].some((flag) => states[0].words.includes(flag)) ? 'cost' : cost === 1 ? 'error' : 'errors');

  const total = () => {
    const { cost, result, isNumber } = state(), free = states[0], more = cost - free.cost, are = result.status === 'optimal';
    const measured = `${number(cost)} ${isNumber ? 'as objective' : unit(cost)}`;
    const best = `the best tree${free.result.status === 'optimal' ? '' : ' found'} without your choices`;
    const equal = Math.abs(more) <= 1e-9 * Math.max(1, cost);
    const than = isFree() ? best : equal ? `as good as ${best}` : `${number(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${best}`;
    return `${measured}: ${than}${are ? '' : ' (stopped: there may be a better one)'}.`;
  };

  const item = (path) => {
    const node = state().nodes.get(path), own = make('span', { class: 'label', onclick: () => choose(path) }, node.text);
    if (isFixed(path)) own.append(' ', make('b', { class: 'fixed' }, 'fixed'));
    const entry = make('li', { role: 'treeitem', 'aria-selected': String(path === chosen), 'aria-level': path.length + 1, tabindex: path === (chosen ?? '') ? 0 : -1, 'data-path': path }, own);
    if (node.split) entry.append(make('ul', { role: 'group' }, item(`${path}l`), item(`${path}r`)));
    return entry;
  };
  const itemAt = (path) => $('hand-tree').querySelector(`[data-path="${path}"]`);

  const show = () => {
    const inTree = $('hand-tree').contains(document.activeElement) || $('hand-node').contains(document.activeElement);
    while (chosen && !state().nodes.has(chosen)) chosen = chosen.slice(0, -1);
    $('hand-tree').replaceChildren(item(''));
    $('hand-total').textContent = total();
    $('undo').disabled = at === 0;
    $('redo').disabled = at === states.length - 1;
    $('forget').disabled = isFree();
    for (const id of ['near', 'worth']) $(id).hidden = state().isNumber;
    for (const id of ['progress', 'said']) $(id).hidden = !isFree(); // they speak of the tree without a wish
    showNode();
    if (inTree) itemAt(chosen ?? '').focus();
  };

  const choose = (path) => {
    chosen = path;
    for (const entry of $('hand-tree').querySelectorAll('[role=treeitem]')) {
      entry.setAttribute('aria-selected', String(entry.dataset.path === path));
      entry.tabIndex = entry.dataset.path === path ? 0 : -1;
    }
    itemAt(path).focus();
    showNode();
  };

  $('hand-tree').addEventListener('keydown', (event) => {
    const entry = event.target.closest('[role=treeitem]'), path = entry.dataset.path, all = [...$('hand-tree').querySelectorAll('[role=treeitem]')];
    const to = { ArrowDown: () => all[all.indexOf(entry) + 1], ArrowUp: () => all[all.indexOf(entry) - 1], ArrowRight: () => itemAt(`${path}l`),
      ArrowLeft: () => (path ? itemAt(path.slice(0, -1)) : null), Home: () => all[0], End: () => all.at(-1), Enter: () => entry, ' ': () => entry }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = to();
    if (event.key === 'Enter' || event.key === ' ') return choose(path);
    if (!next) return;
    entry.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  // --- one node ------------------------------------------------------------------------------------------------------
  const button = (text, onclick) => make('button', { type: 'button', onclick }, text);

  const asDate = (days) => new Date(days * 86400e3).toISOString().replace('T', ' ').replace(/( 00:00)?:00\.000Z$/, '');

  // The field of what goes left, and how it is read.
  const ruleField = (node) => {
    const feature = state().features[node.split.feature];
    if (feature.levels) {
      const ordered = feature.kind === 'ordered', left = new Set(levels(node.split, feature));
      const boxes = feature.levels.map((level) => make('input', { type: 'checkbox', ...(left.has(level) ? { checked: '' } : {}) }));
      if (ordered) boxes.forEach((box, i) => { box.onchange = () => boxes.forEach((other, j) => { other.checked = j < i || (j === i && box.checked); }); });
      return [make('fieldset', {}, make('legend', {}, 'What goes to yes'), ...feature.levels.map((level, i) => make('label', {}, boxes[i], ` ${level}`))),
        () => ({ levels: feature.levels.filter((_, i) => boxes[i].checked) })];
    }
    const isDate = feature.date, value = isDate ? asDate(node.split.threshold) : node.split.threshold;
    const field = make('input', isDate ? { type: 'text', size: 17, value } : { type: 'number', step: 'any', value });
    return [make('label', {}, 'Threshold ', field), () => ({ below: isDate ? field.value : field.valueAsNumber })];
  };

  const ruleForm = (path, node) => {
    const [field, rule] = ruleField(node);
    const form = make('form', { class: 'row' }, field, make('button', { type: 'submit' }, 'Move'));
    form.onsubmit = (event) => {
      event.preventDefault();
      wish(put(path, (top) => split({ ...splitOf(node), ...rule() }, top)));
    };
    return form;
  };

  const showNode = () => {
    $('hand-node').replaceChildren();
    if (chosen === null) return;
    const path = chosen, node = state().nodes.get(path), actions = make('p', { class: 'row' });
    if (node.split && !isFixed(path)) actions.append(button('Fix this split', () => wish(put(path, (top) => split(splitOf(node), top)))));
    if (node.split || !isFixed(path)) actions.append(button(node.split ? 'Make it a leaf' : 'Keep it a leaf', () => wish(put(path, () => 'leaf'))));
    if (isFixed(path)) actions.append(button('Free: search again from here', () => wish(put(path, () => kFree))));
    $('hand-node').append(make('h3', {}, node.text), actions);
    if (node.split) $('hand-node').append(ruleForm(path, node));
    if (!state().isNumber) list(path, node);
  };

  // --- the best split on each column ---------------------------------------------------------------------------------
  const leastText = ({ bound, cost, status }) => `${status === 'optimal' ? '' : `${number(bound)} to `}${number(cost)} ${unit(cost)}`;
  const entry = (text, known, isNow, onclick) =>
    make('li', {}, make('button', { type: 'button', class: 'take', ...(isNow ? { 'aria-current': 'true' } : {}), onclick }, make('span', {}, text), ' ', make('b', {}, known)));

  const list = async (path, node) => {
    const marked = JSON.stringify(put(path, () => kMark)), { base } = state(), place = JSON.stringify([base, marked]), known = lists.get(place);
    const shown = make('ol', { class: 'splits', 'aria-label': 'splits here' }), head = make('p', { class: 'soft', role: 'status' });
    $('hand-node').append(head, shown);
    const columns = [];
    const fill = (leaf) => {
      const found = columns.filter((column) => column.split).map((column) => [column.text, column, () => wish(put(path, () => split(column.split, {})))]);
      if (leaf) found.push(['a leaf', leaf, () => wish(put(path, () => 'leaf'))]);
      found.sort(([, a], [, b]) => a.cost - b.cost || a.bound - b.bound);
      const focused = shown.contains(document.activeElement) ? document.activeElement.textContent : null;
      const now = JSON.stringify(node.split ? splitOf(node) : 'leaf');
      shown.replaceChildren(...found.map(([text, least, take]) => entry(text, leastText(least), JSON.stringify(least.split ?? 'leaf') === now, take)));
      if (focused !== null) [...shown.querySelectorAll('button')].find((button) => button.textContent === focused)?.focus();
    };
    const end = (done) => {
      columns.splice(0, columns.length, ...done.columns);
      fill(done.leaf);
      const open = done.columns.filter((column) => !column.split && column.status !== 'infeasible').length;
      const without = done.left_out.length > 0 ? ` (without ${done.left_out.join(', ')}, of too many levels)` : '';
      head.textContent = columns.some((column) => column.split)
        ? `The best split on each column here${without}, with the ${unit() === 'errors' ? 'fewest errors' : 'least cost'} of a tree that has it${done.status === 'optimal' ? ', proved' : '; not all are proved'}${open ? `; ${open} columns were not looked at` : ''}:`
        : open ? 'Stopped.' : 'No question divides these rows within the limits.';
    };
    if (known) return end(known);
    head.textContent = 'Columns are tried …';
    const line = (text) => {
      if (!text.startsWith('{')) return;
      columns.push(JSON.parse(text));
      fill();
    };
    const answer = await answered(['column-worth', ...base.slice(1), '--top', marked, '--verbose'], { line }, shown, head);
    if (!answer) return;
    const done = JSON.parse(answer.printed);
    if (done.status === 'optimal') lists.set(place, done);
    end(done);
  };

  // --- other trees to begin with -------------------------------------------------------------------------------------
  // Shows what is asked of all trees in place of a node. `entries` makes the list, and says what it is.
  const ask = async (title, words, take, entries, ...controls) => {
    chosen = null;
    for (const item of $('hand-tree').querySelectorAll('[aria-selected=true]')) item.setAttribute('aria-selected', 'false');
    const shown = make('ol', { class: 'splits', 'aria-label': title }), head = make('p', { class: 'soft', role: 'status' }, 'Trees are searched …');
    $('hand-node').replaceChildren(make('h3', {}, title), ...controls, head, shown);
    const answer = await answered(words, { take }, shown, head);
    if (answer) shown.replaceChildren(...entries(JSON.parse(answer.printed), answer.files, head));
  };

  const kSets = 50;
  const near = (within) => {
    const field = make('input', { type: 'number', min: 0, step: 'any', value: within });
    const form = make('form', { class: 'row' }, make('label', {}, 'At most ', field, ` more ${unit()}`), make('button', { type: 'submit' }, 'List'));
    form.onsubmit = (event) => {
      event.preventDefault();
      near(field.valueAsNumber || 0);
    };
    const files = Array.from({ length: kSets }, (_, i) => `/out/tree-${i + 1}.json`), words = ['near-trees', ...states[0].words.slice(1)];
    const entries = ({ sets, complete }, trees, head) => {
      head.textContent = `The best tree of each set of columns${complete ? '' : '; there may be more'}. One that is taken is fixed as it is: free what may change.`;
      return sets.map(({ columns }, i) => {
        const file = fileOf(trees[files[i]]), top = whole(file.tree), cost = costIn(file);
        return entry(columns.join(', ') || 'no column', `${number(cost)} ${unit(cost)}`, JSON.stringify(state().top) === JSON.stringify(top), () => wish(top, states[0].base));
      });
    };
    return ask('Trees that are nearly as good', [...words, '--within', String(within), '--count', String(kSets), '--only-sets', '--trees', '/out'], files, entries, form);
  };

  const without = (name) => {
    const words = [...states[0].words], at = words.indexOf('--drop') + 1, column = named([name]);
    return at > 0 ? words.with(at, `${words[at]},${column}`) : [...words, '--drop', column];
  };
  const worth = () => {
    const entries = ({ columns, best }, _, head) => {
      head.textContent = `The best tree without a column. Columns that are not here are not needed: ${leastText(best)} without each of them.`;
      return columns.filter((column) => column.used).map(({ name, never }) => entry(`without ${name}`, leastText(never), false,
        () => wish(kFree, without(name))));
    };
    return ask('What each column is worth', ['column-worth', ...states[0].words.slice(1)], [], entries);
  };

  $('near').onclick = () => near(1);
  $('worth').onclick = worth;
  $('undo').onclick = () => go(at - 1);
  $('redo').onclick = () => go(at + 1);
  $('forget').onclick = () => go(0, true);
  $('hand-stop').onclick = halt;

  // A tree that was trained without a wish.
  const begin = (fit) => {
    states = [read({ ...fit, top: kFree, base: fit.words })];
    at = 0;
    ++opened;
    chosen = null;
    lists.clear();
    say('');
    $('change').hidden = false;
    show();
  };
  // What is still found out is of no use.
  const close = () => {
    ++opened;
    $('change').hidden = true;
    $('said').hidden = false;
  };
  // The node with this number in the tree file.
  const open = (id) => {
    choose([...state().nodes].find(([, node]) => node.id === id)[0]);
    $('change').scrollIntoView({ block: 'start' });
  };
  return { begin, close, quiet, open };
};
