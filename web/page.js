// The page: what the user does becomes words of the command, which the worker runs (worker.js). What the command says is shown as it is.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const kLargest = 50e6; // bytes
  const kTree = '/out/tree.json', kReport = '/out/report.html', kCheckpoint = '/out/checkpoint', kCosts = 'costs.csv';
  const kMostClasses = 8; // of which costs can be entered

  // --- the worker ----------------------------------------------------------------------------------------------------
  let worker = null, waiting = new Map(), last = 0, canStop = true;

  const answered = ({ data }) => {
    if (data.canWait !== undefined) canStop = data.canWait;
    const request = waiting.get(data.id);
    if (data.news) return request?.news?.(data.news);
    if (data.line !== undefined) return request?.line?.(data.line);
    waiting.delete(data.id);
    if (data.broken !== undefined) begin(); // nothing is known of its memory
    request?.done(data);
  };

  // Starts a worker, with the file that is looked at and its tree.
  const begin = () => {
    worker?.terminate();
    worker = new Worker(URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' })));
    worker.onmessage = answered;
    const packed = Uint8Array.from(atob($('engine').textContent.trim()), (c) => c.charCodeAt(0));
    worker.postMessage({ engine: packed, hold: { ...(state.file ? { [state.file.path]: state.file.bytes } : {}), ...(state.tree ? { [kTree]: state.tree } : {}) } });
    priced();
  };

  const send = (words, how = {}) =>
    new Promise((done) => {
      const { news, line, ...request } = how;
      waiting.set(++last, { done, news, line });
      worker.postMessage({ id: last, words, ...request });
    });
  const ask = async (words, how) => {
    await hand.quiet();
    return send(words, how);
  };

  // The run ends soon, with what it has.
  const halt = () => {
    if (canStop) worker.postMessage({ stop: true });
    else answered({ data: { id: last, code: -1, said: [], broken: 'this browser cannot end a run and keep its tree, as Chrome and Edge can' } });
  };

  // Where the command advises a flag, the page has a field.
  const kFields = [
    [/for classes add --target-classes, or --bins \d+/, 'for classes choose “a class” above'],
    [/to predict the number add --loss squared/, 'to predict the number choose “a number” above'],
    [/^--loss survival: (.*) \(name the column that holds 1 for these rows and 0 for the others with --event\)/, '$1: choose the column that holds 1 for these rows and 0 for the others'],
    [/\(--(numeric|categorical|numeric or --categorical) [^)]* keeps it\)/, '(tick “use” to keep it)'],
    [/--categorical .* keeps the categories/, 'tick “use” to keep the categories'],
    [/if new rows will have other numbers, --drop .*/, 'untick “use” if new rows will have other numbers'],
    [/(no split can use \S+): --drop .* silences this/, '$1'],
    [/group rare ones, or --drop .*/, 'group rare ones, or untick “use”'],
    [/--categorical .* reads them as categories/, 'choose “categories” to read them so'],
    [/--numeric .* reads them as numbers/, 'choose “numbers” to read them so'],
    [/--loss squared predicts the number, --bins \d+ groups them/, 'choose “a number” above to predict the number'],
    [/, --target names another/, ': choose another one above'],
    [/name another column with --target/, 'choose another column above'],
    [/keep one with --(numeric|categorical) .*(?=\))/, 'tick “use” at one'],
    [/: the extension does not tell the format \(.*/, ': this page reads CSV, TSV, ARFF and LIBSVM. Give the name of the file its ending: .csv, .tsv, .arff or .svm, also with .gz or .zip.'],
    [/^--top: cannot be used with a proof file and a limit on splits.*/, 'A tree with given splits and a limit on their number has no proof.'],
  ];
  const forPage = (text) => kFields.reduce((said, [command, page]) => said.replace(command, page), text);

  // What a run complains of, in the command's words.
  const complaint = (answer) => {
    if (answer.broken !== undefined)
      return /memory|allocation|OOM|out of bounds/i.test(answer.broken)
        ? 'The page has no more memory: use fewer rows or columns, or the command, which has no limit of 2 GB.'
        : `The run broke off: ${answer.broken}`;
    const from = answer.said.findIndex((line) => line.startsWith('treewright: '));
    return forPage(answer.said.slice(Math.max(from, 0)).join('\n').replace(/^treewright: /, ''));
  };

  // --- what is looked at ---------------------------------------------------------------------------------------------
  // columns: name -> { use, kind, summary }; kind '' = as read. `target` '' = as read. `loss`: as the page's choices name them, with the
  // column `beside` it. costs[true class][label]; null where the target has no classes, or many.
  const state = { file: null, columns: new Map(), target: '', loss: '', beside: '', flags: [], classes: [], costs: null, tree: null, report: null };

  const quoted = (name, test) => (test.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const list = (names) => names.map((name) => quoted(name, /^"|,/)).join(',');
  const kLosses = { '': [], classes: ['--target-classes'], squared: ['--loss', 'squared'], poisson: ['--loss', 'poisson', '--exposure'], survival: ['--loss', 'survival', '--event'] };
  const kBeside = { poisson: 'for each unit of', survival: 'with 1 where it was seen in' };

  const readWords = () => {
    const named = (test) => [...state.columns].filter(([name, column]) => name !== state.target && name !== state.beside && test(column)).map(([name]) => name);
    const words = [...(state.target ? ['--target', state.target] : []), ...kLosses[state.loss]];
    if (kBeside[state.loss]) words.splice(-1, 1, ...(state.beside ? [words.at(-1), state.beside] : []));
    const dropped = named((column) => column.use === false);
    for (const [flag, names] of [
      ['--drop', dropped],
      ['--numeric', named((column) => column.use !== false && column.kind === 'numeric')],
      ['--categorical', named((column) => column.use !== false && column.kind === 'categorical')],
    ]) {
      if (names.length > 0) words.push(flag, list(names));
    }
    words.push(...state.flags);
    for (const name of named((column) => column.use !== false && column.kind === 'ordered')) words.push('--ordered', `${name}=${list(state.columns.get(name).order)}`);
    return words;
  };

  // What was trained makes room for what is trained next.
  const clear = () => {
    for (const id of ['progress', 'on', 'result', 'report']) $(id).hidden = true;
    for (const id of ['problem', 'said']) $(id).textContent = '';
    hand.close();
  };
  const forget = () => {
    for (const id of ['errors', 'bound', 'gap']) $(id).textContent = '–';
    $('chosen').textContent = '';
    $('folds').hidden = true;
  };
  // What was trained is no longer of the data in sight.
  const discard = () => {
    clear();
    forget();
  };

  const open = async (name, bytes) => {
    for (const id of ['table', 'train']) $(id).hidden = true;
    discard();
    $('open-problem').textContent = '';
    const path = name.startsWith('-') ? `./${name}` : name;
    worker.postMessage({ hold: { ...(state.file ? { [state.file.path]: null } : {}), [path]: bytes } });
    Object.assign(state, { file: { path, bytes }, columns: new Map(), target: '', loss: '', beside: '', flags: [], tree: null });
    $('loss').value = $('flags').value = $('flags-problem').textContent = '';
    $('more').open = false;
    await describe(true);
  };

  const choose = async (file) => {
    if (!file) return;
    if (file.size > kLargest) {
      $('open-problem').textContent = `${file.name} has ${(file.size / 1e6).toFixed(0)} MB, and this page reads files up to ${kLargest / 1e6} MB. The command treewright has no such limit.`;
      return;
    }
    await open(file.name, new Uint8Array(await file.arrayBuffer()));
  };

  let asked = 0;
  const describe = async (first) => {
    const mine = ++asked;
    document.body.setAttribute('aria-busy', 'true');
    const answer = await ask(['describe', state.file.path, ...readWords(), '--json']);
    if (mine !== asked) return;
    document.body.removeAttribute('aria-busy');
    if (answer.code !== 0) {
      $('open-problem').textContent = complaint(answer);
      offerMore($('open-problem').textContent);
      return;
    }
    $('open-problem').textContent = '';
    show(JSON.parse(answer.printed), first);
  };

  const option = (value, text, chosen) => make('option', chosen ? { value, selected: '' } : { value }, text);

  const show = (table, first) => {
    const described = new Map(table.columns.map((column) => [column.name, column]));
    for (const name of table.file_columns) {
      const known = state.columns.get(name) ?? { kind: '' };
      const summary = described.get(name) ?? known.summary;
      state.columns.set(name, { ...known, summary, advised: described.get(name)?.left_out ?? known.advised });
    }
    const target = table.target ?? state.target;
    const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;
    $('size').textContent = `${state.file.path}: ${count(table.rows, 'row')}, ${count(table.columns.filter((column) => !column.left_out).length, 'column')} to learn from`;
    $('target').replaceChildren(...table.file_columns.map((name) => option(name, name, name === target)));
    const shown = table.loss ? [kPredicted[table.loss]] : table.classes.slice(0, 8).map(({ name, rows }) => `${name}: ${rows}`);
    $('classes').textContent = `${shown.join(', ')}${table.classes.length > 8 ? `, … ${table.classes.length} classes` : ''}`;
    const columns = table.file_columns.filter((name) => name !== target);
    offerBeside(columns);
    const focused = $('columns').contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    $('columns').tBodies[0].replaceChildren(...columns.filter((name) => name !== state.beside).map((name) => line(name)));
    const again = focused && $('columns').querySelector(`[aria-label="${CSS.escape(focused)}"]`);
    (again?.disabled ? again.parentElement.querySelector('button:enabled') : again)?.focus();
    if (first) $('filter').value = '';
    find();
    prices(table.loss ? [] : table.classes.map(({ name }) => name));
    const notes = table.notes.map(forPage);
    $('notes').replaceChildren(...notes.map((note) => make('li', {}, note)));
    offerMore(notes.join('\n'));
    $('table').hidden = $('train').hidden = false;
    if (first) $('train').scrollIntoView({ block: 'nearest' });
  };

  const kPredicted = { squared: 'a number, whose mean is predicted', poisson: 'events, whose rate is predicted', survival: 'times, of which the hazard is predicted' };

  // The column that a rate or a time needs besides the target.
  const offerBeside = (names) => {
    $('beside-label').hidden = !kBeside[state.loss];
    $('beside-label').firstChild.textContent = kBeside[state.loss] ?? '';
    $('beside').replaceChildren(option('', state.loss === 'poisson' ? '1 for each row' : 'choose a column', !state.beside), ...names.map((name) => option(name, name, name === state.beside)));
  };

  // The matrix of costs, begun anew for other classes.
  const prices = (classes) => {
    if (JSON.stringify(classes) === JSON.stringify(state.classes)) return;
    state.classes = classes;
    const wanted = classes.length > 1 && classes.length <= kMostClasses;
    state.costs = wanted ? classes.map((_, truth) => classes.map((_, label) => (truth === label ? '0' : '1'))) : null;
    $('costs').hidden = !wanted;
    $('costs').open = false;
    if (!wanted) return;
    const field = (truth, label) => {
      const input = make('input', { type: 'number', step: 'any', value: state.costs[truth][label], 'aria-label': `cost of ${classes[label]} for a row of ${classes[truth]}`,
        oninput: ({ target }) => { state.costs[truth][label] = target.value; } });
      return make('td', { class: 'n' }, input);
    };
    $('cost-table').replaceChildren(make('thead', {}, make('tr', {}, make('th', {}, 'row of'), ...classes.map((name) => make('th', { class: 'n' }, name)))),
      make('tbody', {}, ...classes.map((name, truth) => make('tr', {}, make('th', { scope: 'row' }, name), ...classes.map((_, label) => field(truth, label))))));
  };
  const costTable = () => {
    const cells = (row) => row.map((cell) => quoted(cell, /[",\n]|^$/)).join(',');
    return [['class', ...state.classes], ...state.costs.map((row, truth) => [state.classes[truth], ...row])].map(cells).join('\n') + '\n';
  };
  const hasCosts = () => state.costs?.some((row, truth) => row.some((cost, label) => Number(cost) !== (truth === label ? 0 : 1))) ?? false;

  // Bars of the rows that a column has in parts of its range, or of its levels.
  const bars = (counts = []) => {
    const most = Math.max(...counts, 1), shape = counts.map((count, i) => `M${6 * i} 22v${(-22 * count / most).toFixed(1)}h5V22z`).join('');
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    picture.setAttribute('viewBox', '0 0 72 22');
    path.setAttribute('d', shape);
    picture.append(path);
    return picture;
  };

  // What the file's own notes advise, and the page has no field for. true: another word follows.
  const kReading = { '--missing': true, '--not-missing': true, '--decimal': true, '--dates': true, '--separator': true, '--header': true, '--skip': true, '--weights': true, '--bins': true,
    '--against-rest': true, '--drop-unlabeled': false };
  const offerMore = (said) => {
    if (Object.keys(kReading).some((flag) => new RegExp(`${flag}\\b`).test(said))) $('more').open = true;
  };
  $('flags').onchange = () => {
    const words = ($('flags').value.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
    const flags = words.filter((word, i) => !(i > 0 && kReading[words[i - 1]]));
    const wrong = flags.find((flag) => kReading[flag.replace(/=.*/s, '')] === undefined) ?? (kReading[words.at(-1)] ? words.at(-1) : undefined);
    $('flags-problem').textContent = wrong === undefined ? '' : kReading[wrong] ? `${wrong} needs a value` : `${wrong} is none of these options`;
    if (wrong !== undefined) return;
    // Columns may have other names now.
    if ([...state.flags, ...words].some((flag) => /^--(separator|header|skip)/.test(flag))) Object.assign(state, { columns: new Map(), target: '', beside: '' });
    state.flags = words;
    discard();
    describe(false);
  };

  // Of many columns those whose name holds what is typed.
  const kMany = 12, kLong = 30;
  const found = () => [...$('columns').tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.dataset.name);
  const find = () => {
    const rows = [...$('columns').tBodies[0].rows], part = $('filter').value.trim().toLowerCase();
    $('find').hidden = rows.length <= kMany;
    for (const row of rows) row.hidden = !$('find').hidden && !row.dataset.name.toLowerCase().includes(part);
    const shown = found().length, isLong = shown > kLong;
    $('column-list').classList.toggle('long', isLong);
    $('found').textContent = `${part ? `${shown} of ${rows.length}` : rows.length} columns${isLong ? ': the list scrolls' : ''}`;
    $('use-found').disabled = $('drop-found').disabled = shown === 0;
  };

  // Ordered levels as a row of their own: each can be moved by one place.
  const orderOf = (name, order) => {
    const move = (place, to) => {
      const levels = order.toSpliced(place, 1);
      change(name, { order: levels.toSpliced(to, 0, order[place]) });
    };
    const button = (text, place, to, where) =>
      make('button', { type: 'button', 'aria-label': `${name}: ${order[place]} ${where}`, ...(to < 0 || to === order.length ? { disabled: '' } : {}), onclick: () => move(place, to) }, text);
    return make('ol', { class: 'order', 'aria-label': `levels of ${name}, the lowest first` },
      ...order.map((level, place) => make('li', {}, button('‹', place, place - 1, 'lower'), ` ${level} `, button('›', place, place + 1, 'higher'))));
  };

  const kKinds = { numeric: 'numbers', categorical: 'categories', ordered: 'ordered levels' };
  const line = (name) => {
    const column = state.columns.get(name), { summary } = column;
    const used = column.use ?? !(column.advised && !column.kind);
    const cell = (head, content, number) => make('td', { 'data-head': head, ...(number ? { class: 'n' } : {}) }, content);
    const use = make('input', { type: 'checkbox', 'aria-label': `use ${name}`, onchange: (event) => change(name, { use: event.target.checked }) });
    use.checked = used;
    const kind = make('select', { 'aria-label': `kind of ${name}`, onchange: (event) => change(name, { kind: event.target.value }) },
      option('', summary && !column.kind ? `${kKinds[summary.kind] ?? summary.kind}, as read` : 'as the cells say', !column.kind), option('numeric', 'numbers', column.kind === 'numeric'),
      option('categorical', 'categories', column.kind === 'categorical'),
      ...(column.kind === 'ordered' || (summary?.levels?.length > 1 && !name.includes('=')) ? [option('ordered', 'ordered levels', column.kind === 'ordered')] : []));
    const values = used && column.kind === 'ordered' ? orderOf(name, column.order) : summary?.values ?? '';
    return make('tr', { 'data-name': name, ...(used ? {} : { class: 'out' }) }, cell('use', use), cell('column', name), cell('read as', kind), cell('distinct', String(summary?.distinct ?? ''), true),
      cell('missing', String(summary?.missing ?? ''), true), make('td', { class: 'bars', 'aria-hidden': 'true' }, bars(summary?.histogram)), cell('values', values));
  };

  // A column that the program would leave out stays in where its kind is named.
  const kInOrder = new Intl.Collator('en', { numeric: true });
  const note = (name, what) => {
    const column = state.columns.get(name);
    Object.assign(column, what);
    if (what.use && column.advised && !column.kind) column.kind = column.summary?.kind === 'numeric' ? 'numeric' : 'categorical';
    if (what.use === true) delete column.use;
    if (what.kind === 'ordered') column.order = column.summary.levels.toSorted(kInOrder.compare);
  };
  const change = (name, what) => {
    note(name, what);
    discard();
    describe(false);
  };
  const changeFound = (what) => {
    for (const name of found()) note(name, what);
    discard();
    describe(false);
  };

  // --- training ------------------------------------------------------------------------------------------------------
  const shell = (word) => (/^[A-Za-z0-9_\-./=,:+@%]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const number = (value) => String(Number(value.toPrecision(6)));

  // Without what tune chooses, or all.
  const settings = (all = true) => {
    const words = all ? ['--max-depth', $('depth').value] : [];
    if (all && Number($('price').value) > 0) words.push('--alpha', $('price').value);
    if (Number($('leaf').value) > 1) words.push('--min-leaf', $('leaf').value);
    if (Number($('share').value) > 0) words.push('--test-share', $('share').value);
    return [...words, ...priced()];
  };

  const command = () => ['fit', state.file.path, ...readWords(), ...settings()];

  // The costs, as a file beside the data.
  const priced = () => {
    if (!hasCosts()) return [];
    worker.postMessage({ hold: { [kCosts]: new TextEncoder().encode(costTable()) } });
    return ['--costs', kCosts];
  };

  const news = ({ unit, incumbent, bound }) => {
    $('unit').textContent = `${unit} of the best tree`;
    $('errors').textContent = Number.isFinite(incumbent) ? number(incumbent) : '–';
    $('bound').textContent = Number.isFinite(bound) ? number(Math.max(0, bound)) : '–';
    const gap = (incumbent - bound) / Math.max(Math.abs(incumbent), 1e-10);
    $('gap').textContent = Number.isFinite(gap) ? `${(100 * Math.max(0, gap)).toFixed(1)} %` : '–';
  };

  // A run that shows its time and can be stopped.
  const timed = async (words, how, stopping) => {
    const begun = performance.now(), passed = (digits) => { $('seconds').textContent = ((performance.now() - begun) / 1000).toFixed(digits); };
    clear();
    $('go').disabled = $('tune').disabled = true;
    $('stop').textContent = canStop ? 'Stop, and keep the best tree' : 'Cancel';
    $('stop').hidden = $('progress').hidden = false;
    $('stop').onclick = () => {
      if (canStop) $('said').textContent = stopping;
      halt();
    };
    const ticking = setInterval(() => passed(0), 200);
    const answer = await ask(words, how);
    clearInterval(ticking);
    $('go').disabled = $('tune').disabled = false;
    $('stop').hidden = true;
    $('said').textContent = '';
    passed(1);
    return answer;
  };

  const train = async (words, resumed) => {
    const more = ['--out', kTree, '--html', kReport, '--checkpoint', kCheckpoint, ...(resumed ? ['--on-existing', 'resume'] : [])];
    if (!resumed) worker.postMessage({ hold: { [kCheckpoint]: null } });
    const answer = await timed([...words, ...more], { news, take: [kTree, kReport], keep: [kTree, kCheckpoint] }, 'The search ends, and the best tree is written down.');
    if (answer.code !== 0 || !answer.files[kTree]) {
      $('problem').textContent = complaint(answer);
      offerMore($('problem').textContent);
      return;
    }
    const fit = { words, tree: answer.files[kTree], report: answer.files[kReport], printed: answer.printed };
    use.show(fit);
    trained(fit);
    hand.begin(fit);
  };

  const trained = ({ words, tree, printed }) => {
    const { result } = JSON.parse(new TextDecoder().decode(tree)), finished = result.status === 'optimal';
    const proved = /^proved +(.*)$/m.exec(printed)?.[1];
    const fact = proved ? `: ${proved}.` : '.';
    $('said').textContent = finished ? `Proved${fact}` : `Stopped before the proof was complete: this is the best tree so far. Proved so far${fact}`;
    $('said').className = finished ? 'proved' : '';
    if (!/[0-9]/.test($('errors').textContent)) $('errors').textContent = number(result.errors);
    $('gap').textContent = `${(100 * result.gap).toFixed(1)} %`;
    if (finished) $('bound').textContent = $('errors').textContent;
    $('on').hidden = finished;
    $('on').onclick = () => train(words, true);
  };

  // Depth and price by five folds of the training rows; then the tree is trained with them.
  const kFolds = 5;
  const tune = async () => {
    const depths = Array.from({ length: Math.max(1, Number($('depth').value)) }, (_, i) => i + 1), done = new Set();
    const line = (text) => {
      if (!text.startsWith('{')) return;
      const { setting, fold } = JSON.parse(text);
      done.add(`${setting} ${fold}`);
      $('runs').value = done.size;
      $('said').textContent = `${done.size} of ${kFolds * depths.length} runs: depth ${depthOf(setting)}, fold ${fold} of ${kFolds}.`;
    };
    forget();
    Object.assign($('runs'), { hidden: false, max: kFolds * depths.length, value: 0 });
    $('progress').className = 'on-folds';
    const words = ['tune', state.file.path, ...readWords(), '--try', `max_depth=${depths}`, '--folds', String(kFolds), '--rule', 'one-se', ...settings(false), '--json', '--verbose'];
    const answer = await timed(words, { line }, 'The folds end, and the best setting so far is taken.');
    $('runs').hidden = true;
    $('progress').className = '';
    if (answer.code !== 0) {
      $('problem').textContent = complaint(answer);
      return;
    }
    const tuned = JSON.parse(answer.printed);
    $('depth').value = depthOf(tuned.setting);
    $('price').value = tuned.alpha;
    showFolds(tuned);
    $('chosen').textContent = `Chosen on five folds: at most ${$('depth').value} questions on a path, each at a price of ${number(tuned.alpha)}: ${tuned.why}.${tuned.not_tried ? ` Not tried: ${tuned.not_tried}.` : ''}`;
    await train(command(), false);
  };
  const depthOf = (setting) => /max_depth=(\d+)/.exec(setting)[1];

  // What the folds measure, by the end of its name in the answer.
  const kMeasures = { accuracy: 'wrong on the folds', cost: 'cost of a row on the folds', r2: 'R² on the folds', deviance: 'deviance on the folds', concordance: 'concordance on the folds' };
  const showFolds = ({ settings, curve, setting, alpha }) => {
    const key = Object.keys(settings[0]).find((name) => name.startsWith('validation_')), measure = key.slice('validation_'.length), isShare = measure === 'accuracy';
    const shown = (value) => (typeof value !== 'number' ? '–' : isShare ? `${(100 * value).toFixed(1)} %` : number(value));
    const score = (step) => `${shown(isShare ? 1 - step[key] : step[key])}${step.standard_error === undefined ? '' : ` ± ${shown(step.standard_error)}`}`;
    const head = (...names) => make('tr', {}, ...names.map((name) => make('th', { class: 'n' }, name)));
    const row = (isChosen, ...cells) => make('tr', isChosen ? { 'aria-current': 'true' } : {}, ...cells.map((text) => make('td', { class: 'n' }, text)));
    const mark = (isChosen) => (isChosen ? 'chosen' : '');
    $('depths').tHead.replaceChildren(head('questions on a path', 'price', 'questions in the tree', kMeasures[measure], ''));
    $('depths').tBodies[0].replaceChildren(...settings.map((step) => {
      const isChosen = step.setting === setting;
      return row(isChosen, depthOf(step.setting), number(step.alpha), number(step.splits), score(step), mark(isChosen));
    }));
    const holds = (step) => step.setting === setting && alpha >= step.alpha_low && (step.alpha_high === 'inf' || alpha < step.alpha_high);
    $('prices').tHead.replaceChildren(head('questions on a path', 'price from', 'to', 'questions in the tree', kMeasures[measure], ''));
    $('prices').tBodies[0].replaceChildren(...curve.map((step) =>
      row(holds(step), depthOf(step.setting), number(step.alpha_low), step.alpha_high === 'inf' ? 'any' : number(step.alpha_high), number(step.splits), score(step), mark(holds(step)))));
    $('folds').hidden = false;
  };

  const use = {
    // A tree by hand. Its problem is told there.
    fit: async (words, run) => {
      const answer = await run([...words, '--out', kTree, '--html', kReport], { take: [kTree, kReport] });
      if (answer.code !== 0 || !answer.files[kTree]) return { problem: complaint(answer) };
      return { tree: answer.files[kTree], report: answer.files[kReport], printed: answer.printed };
    },
    // This tree is reported and saved.
    show: ({ words, tree, report }) => {
      worker.postMessage({ hold: { [kTree]: tree } });
      Object.assign(state, { words, tree, report });
      $('save-costs').hidden = !words.includes(kCosts);
      $('command').textContent = `treewright ${words.map(shell).join(' ')}`;
      $('used').textContent = $('use-problem').textContent = '';
      $('result').hidden = $('report').hidden = false;
      $('report').srcdoc = new TextDecoder().decode(report);
    },
  };
  const hand = handIn({ $, make, send, halt, complaint, number, list, use });

  // The report is as high as its content, and has the page's theme.
  $('report').addEventListener('load', () => {
    const frame = $('report'), page = frame.contentDocument?.documentElement;
    if (!page || frame.hidden) return;
    const fit = () => { frame.style.height = `${page.querySelector('body').scrollHeight + 4}px`; };
    new ResizeObserver(fit).observe(page.querySelector('body'));
    new MutationObserver(() => { document.documentElement.dataset.theme = page.dataset.theme; }).observe(page, { attributeFilter: ['data-theme'] });
    if (document.documentElement.dataset.theme) page.dataset.theme = document.documentElement.dataset.theme;
    // The card of the node that is chosen there leads to the same node here.
    const card = page.querySelector('#inspector'), node = () => Number(/^n(\d+)$/.exec(page.querySelector('.node.chosen').id)[1]);
    const offer = () => {
      if (!card.querySelector('.change')) card.append(make('p', { class: 'change' }, make('button', { type: 'button', onclick: () => hand.open(node()) }, 'Change the tree here')));
    };
    new MutationObserver(offer).observe(card, { childList: true });
    offer();
    fit();
  });

  // --- using the tree ------------------------------------------------------------------------------------------------
  const kFormats = { svg: 'svg', rules: 'txt', text: 'txt', excel: 'txt', sql: 'sql', 'sql-probabilities': 'sql', python: 'py', javascript: 'js', c: 'c', cpp: 'h', pmml: 'pmml', onnx: 'onnx', latex: 'tex', dot: 'dot' };

  const save = (name, bytes) => {
    const address = URL.createObjectURL(new Blob([bytes]));
    make('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  const stem = () => state.file.path.replace(/^.*\//, '').replace(/\..*$/, '');

  // Runs the command, and saves what it writes.
  const saved = async (words, name, files = {}) => {
    $('used').textContent = $('use-problem').textContent = '';
    const out = `/out/${name}`, answer = await ask([...words, '--out', out], { files, take: [out] });
    if (answer.code !== 0 || !answer.files[out]) {
      $('use-problem').textContent = complaint(answer);
      return;
    }
    save(name, answer.files[out]);
    $('used').textContent = [`${name} is saved.`, ...answer.said.map((said) => said.replace(/^(treewright|note): /, ''))].join(' ');
  };

  $('print').onclick = () => $('report').contentWindow.print();
  $('save-tree').onclick = () => save(`${stem()}.tree.json`, state.tree);
  $('save-costs').onclick = () => save(kCosts, new TextEncoder().encode(costTable()));

  // A search that writes its proof down, and the table that the proof speaks of.
  let proving = false;
  $('save-proof').onclick = async () => {
    if (proving) return halt();
    const tree = '/out/proved.json', proof = `/out/${stem()}.proof`, table = `/out/${stem()}.tw`;
    const said = (text, problem = '') => {
      $('used').textContent = text;
      $('use-problem').textContent = problem;
    };
    proving = true;
    said('The tree is searched once more, and each step of the proof is written down.');
    $('save-proof').textContent = 'Stop the proof';
    const answer = await ask([...state.words, '--out', tree, '--proof', proof], { take: [tree, proof] });
    proving = false;
    $('save-proof').textContent = 'Proof and its table';
    if (answer.code !== 0 || !answer.files[proof]) return said('', complaint(answer));
    const made = await ask(['table', state.file.path, '--tree', tree, '--out', table], { files: { [tree]: answer.files[tree] }, take: [table] });
    if (made.code !== 0) return said('', complaint(made));
    save(proof.slice(5), answer.files[proof]);
    save(table.slice(5), made.files[table]);
    said(`${proof.slice(5)} is saved, and ${table.slice(5)}, the rows that it speaks of. Any of the checkers of proofs goes through both.`);
  };
  $('save-report').onclick = () => save(`${stem()}.html`, state.report);
  $('save-export').onclick = () => {
    const format = $('format').value;
    saved(['export', kTree, state.file.path, '--to', format], `${stem()}.${kFormats[format]}`);
  };
  $('new-rows').onchange = async (event) => {
    const file = event.target.files[0];
    event.target.value = '';
    if (!file) return;
    const rows = `/out/${file.name}`;
    await saved(['predict', kTree, rows], `${file.name.replace(/\..*$/, '')}.labels.csv`, { [rows]: new Uint8Array(await file.arrayBuffer()) });
  };

  // --- the page ------------------------------------------------------------------------------------------------------
  $('format').replaceChildren(...Object.keys(kFormats).map((name) => option(name, name)));
  const examples = JSON.parse($('example-files').textContent);
  $('examples').replaceChildren(...Object.entries(examples).map(([name, text]) => make('button', { type: 'button', onclick: () => open(name, new TextEncoder().encode(text)) }, name.replace(/\.csv$/, ''))));
  $('file').onchange = (event) => {
    choose(event.target.files[0]);
    event.target.value = '';
  };
  addEventListener('dragover', (event) => { event.preventDefault(); $('drop').classList.add('over'); });
  addEventListener('dragleave', () => $('drop').classList.remove('over'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    $('drop').classList.remove('over');
    choose(event.dataTransfer.files[0]);
  });
  $('filter').oninput = find;
  $('use-found').onclick = () => changeFound({ use: true });
  $('drop-found').onclick = () => changeFound({ use: false });
  $('target').onchange = (event) => {
    state.target = event.target.value;
    discard();
    describe(false);
  };
  $('settings').onsubmit = (event) => {
    event.preventDefault();
    forget();
    train(command(), false);
  };
  $('tune').onclick = () => { if ($('settings').reportValidity()) tune(); };
  $('loss').onchange = (event) => {
    state.loss = event.target.value;
    state.beside = '';
    discard();
    $('classes').textContent = '';
    $('notes').replaceChildren();
    offerBeside([...state.columns.keys()].filter((name) => name !== $('target').value));
    if (state.loss !== 'survival') describe(false);
  };
  $('beside').onchange = (event) => {
    state.beside = event.target.value;
    discard();
    describe(false);
  };
  begin();
})();
