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
  const state = { file: null, columns: new Map(), target: '', loss: '', beside: '', classes: [], costs: null, tree: null, report: null };

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
    return words;
  };

  // What was trained is no longer of the data in sight.
  const discard = () => {
    for (const id of ['progress', 'on', 'result', 'report']) $(id).hidden = true;
    for (const id of ['problem', 'said', 'chosen']) $(id).textContent = '';
    hand.close();
  };

  const open = async (name, bytes) => {
    for (const id of ['table', 'train']) $(id).hidden = true;
    discard();
    $('open-problem').textContent = '';
    const path = name.startsWith('-') ? `./${name}` : name;
    worker.postMessage({ hold: { ...(state.file ? { [state.file.path]: null } : {}), [path]: bytes } });
    Object.assign(state, { file: { path, bytes }, columns: new Map(), target: '', loss: '', beside: '', tree: null });
    $('loss').value = '';
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
    $('size').textContent = `${state.file.path}: ${table.rows} rows, ${table.columns.filter((column) => !column.left_out).length} columns to learn from`;
    $('target').replaceChildren(...table.file_columns.map((name) => option(name, name, name === target)));
    const shown = table.loss ? [kPredicted[table.loss]] : table.classes.slice(0, 8).map(({ name, rows }) => `${name}: ${rows}`);
    $('classes').textContent = `${shown.join(', ')}${table.classes.length > 8 ? `, … ${table.classes.length} classes` : ''}`;
    const columns = table.file_columns.filter((name) => name !== target);
    offerBeside(columns);
    $('columns').tBodies[0].replaceChildren(...columns.filter((name) => name !== state.beside).map((name) => line(name)));
    prices(table.loss ? [] : table.classes.map(({ name }) => name));
    $('notes').replaceChildren(...table.notes.map((note) => make('li', {}, forPage(note))));
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

  const kKinds = { numeric: 'numbers', categorical: 'categories', ordered: 'ordered levels' };
  const line = (name) => {
    const column = state.columns.get(name), { summary } = column;
    const used = column.use ?? !(column.advised && !column.kind);
    const cell = (head, content, number) => make('td', { 'data-head': head, ...(number ? { class: 'n' } : {}) }, content);
    const use = make('input', { type: 'checkbox', 'aria-label': `use ${name}`, onchange: (event) => change(name, { use: event.target.checked }) });
    use.checked = used;
    const kind = make('select', { 'aria-label': `kind of ${name}`, onchange: (event) => change(name, { kind: event.target.value }) },
      option('', summary && !column.kind ? `${kKinds[summary.kind] ?? summary.kind}, as read` : 'as the cells say', !column.kind), option('numeric', 'numbers', column.kind === 'numeric'),
      option('categorical', 'categories', column.kind === 'categorical'));
    return make('tr', used ? {} : { class: 'out' }, cell('use', use), cell('column', name), cell('read as', kind), cell('distinct', String(summary?.distinct ?? ''), true),
      cell('missing', String(summary?.missing ?? ''), true), make('td', { class: 'bars', 'aria-hidden': 'true' }, bars(summary?.histogram)), cell('values', summary?.values ?? ''));
  };

  // A column that the program would leave out stays in where its kind is named.
  const change = (name, what) => {
    const column = state.columns.get(name);
    Object.assign(column, what);
    if (what.use && column.advised && !column.kind) column.kind = column.summary?.kind === 'numeric' ? 'numeric' : 'categorical';
    if (what.use === true) delete column.use;
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
    discard();
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
  const forget = () => {
    for (const id of ['errors', 'bound', 'gap']) $(id).textContent = '–';
    $('chosen').textContent = '';
  };

  const train = async (words, resumed) => {
    const more = ['--out', kTree, '--html', kReport, '--checkpoint', kCheckpoint, ...(resumed ? ['--on-existing', 'resume'] : [])];
    if (!resumed) worker.postMessage({ hold: { [kCheckpoint]: null } });
    const answer = await timed([...words, ...more], { news, take: [kTree, kReport], keep: [kTree, kCheckpoint] }, 'The search ends, and the best tree is written down.');
    if (answer.code !== 0 || !answer.files[kTree]) {
      $('problem').textContent = complaint(answer);
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
  const tune = async () => {
    const depths = Array.from({ length: Math.max(1, Number($('depth').value)) }, (_, i) => i + 1);
    forget();
    const answer = await timed(['tune', state.file.path, ...readWords(), '--try', `max_depth=${depths}`, '--folds', '5', '--rule', 'one-se', ...settings(false), '--json', '--quiet'], {},
      'The folds end, and the best setting so far is taken.');
    if (answer.code !== 0) {
      $('problem').textContent = complaint(answer);
      return;
    }
    const { setting, alpha, why } = JSON.parse(answer.printed);
    $('depth').value = /max_depth=(\d+)/.exec(setting)[1];
    $('price').value = alpha;
    await train(command(), false);
    $('chosen').textContent = `Chosen on five folds: at most ${$('depth').value} questions on a path, each at a price of ${number(alpha)}: ${why}.`;
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
