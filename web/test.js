// The compiled command beside the native one: the same trees, bounds, tables, proofs and exports, byte for byte but for seconds and checksums
// over them. node --no-experimental-fetch web/test.js build/release/treewright [build/web]
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const { spawnSync } = require('child_process');

const root = path.dirname(__dirname), native = path.resolve(process.argv[2]), build = path.resolve(process.argv[3] ?? path.join(root, 'build/web'));
process.setMaxListeners(0); // each instance listens
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'treewright-web-'));
const glue = path.join(build, 'web/treewright_web.js');
const factory = require(glue), engine = new WebAssembly.Module(fs.readFileSync(glue.replace(/js$/, 'wasm')));

// Runs the command on the files of the folder; what it writes goes there.
const compiled = async (words, writes) => {
  const lines = [], said = [];
  const instance = await factory({
    instantiateWasm: (imports, done) => (done(new WebAssembly.Instance(engine, imports)), {}),
    print: (line) => lines.push(line),
    printErr: (line) => said.push(line),
  });
  for (const name of fs.readdirSync(folder)) instance.FS.writeFile(name, fs.readFileSync(path.join(folder, name)));
  const code = instance.callMain(words);
  return { code, out: lines.join('\n'), said: said.join('\n'), file: writes && code === 0 ? Buffer.from(instance.FS.readFile(writes)) : null };
};

const original = (words, writes) => {
  const run = spawnSync(native, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
  const file = writes && run.status === 0 ? fs.readFileSync(path.join(folder, writes)) : null;
  return { code: run.status, out: run.stdout.trimEnd(), said: run.stderr.trimEnd(), file };
};

// A tree file without what time and its checksum are.
const timeless = (bytes) => {
  const file = JSON.parse(bytes);
  delete file.checksum;
  delete file.result.seconds;
  delete file.result.history;
  return JSON.stringify(file);
};

let failed = 0;
const compare = async (what, words, { writes, as = (bytes) => bytes?.toString('latin1'), talk = true, heard = (text) => text, code = 0 } = {}) => {
  const theirs = original(words, writes);
  if (writes) fs.rmSync(path.join(folder, writes), { force: true });
  const start = process.hrtime.bigint(), ours = await compiled(words, writes);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const equal = theirs.code === code && ours.code === code && (!talk || (heard(theirs.out) === heard(ours.out) && theirs.said === ours.said)) &&
    (!theirs.file === !ours.file) && (!theirs.file || as(theirs.file) === as(ours.file));
  console.log(`${equal ? 'equal ' : 'DIFFER'} ${seconds.toFixed(2)} s  ${what}: ${words.join(' ')}`);
  if (!equal) {
    ++failed;
    for (const [name, run] of Object.entries({ native: theirs, compiled: ours }))
      console.log(`  ${name}: ${run.code} ${run.said} ${run.out.slice(0, 300)} ${run.file ? as(run.file).slice(0, 2000) : ''}`);
  }
  if (writes && theirs.file) fs.writeFileSync(path.join(folder, writes), theirs.file);
};

// Levels, missing values, dates, numbers as Germans write them, and an identifier.
const mixed = () => {
  const lines = ['id;colour;visit;amount;age;answer'];
  let seed = 7;
  const draw = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let row = 0; row < 240; ++row) {
    const colour = ['red', 'green', 'blue', ''][draw(4)], day = 1 + draw(28), amount = draw(4000) / 100, age = draw(60) + 18;
    const yes = (colour === 'red') !== amount > 20 || draw(10) === 0;
    lines.push(`N${row}x${draw(1000)};${colour};${String(day).padStart(2, '0')}.03.2024;${amount.toFixed(2).replace('.', ',')};${draw(9) === 0 ? '' : age};${yes ? 'yes' : 'no'}`);
  }
  return lines.join('\n');
};

const main = async () => {
  for (const name of ['iris.csv', 'wine.csv', 'breast-cancer.csv']) fs.copyFileSync(path.join(root, 'data', name), path.join(folder, name));
  fs.writeFileSync(path.join(folder, 'mixed.csv'), mixed());
  fs.writeFileSync(path.join(folder, 'numbers.csv'), 'x,y,z,class\n1e-7,3,1e300,a\n2.5e-320,4,0.1,b\n123456789012345678901,5,-1e5,a\n0.30000000000000004,6,1e22,b\n+5,7,1e23,a\n.5,8,9007199254740993,b\n');
  fs.writeFileSync(path.join(folder, 'broken.csv'), 'a,b,class\n1,2,x\n1,2,3,4\n');
  const sets = [['iris.csv', 2], ['iris.csv', 3], ['wine.csv', 3], ['breast-cancer.csv', 2], ['mixed.csv', 3], ['numbers.csv', 2]];
  for (const [kind, depth] of [['bd17-train', 2], ['balance-scale', 3], ['monks-2', 3]]) {
    const words = ['generate', kind, '--out', `${kind}.csv`];
    await compare('generated', words, { writes: `${kind}.csv` });
    sets.push([`${kind}.csv`, depth]);
  }
  const data = process.env.TREEWRIGHT_DATA_DIR;
  for (const [name, depth] of [['heart-cleveland', 3], ['tic-tac-toe', 3], ['banknote', 3], ['car-evaluation', 2], ['seeds', 3], ['magic04', 3]]) {
    const file = data && path.join(data, `${name}.csv`);
    if (!file || !fs.existsSync(file)) continue;
    fs.copyFileSync(file, path.join(folder, `${name}.csv`));
    sets.push([`${name}.csv`, depth]);
  }
  for (const [name, depth] of sets) {
    const once = fs.readdirSync(folder).filter((file) => file.endsWith('.csv') && file !== name).map((file) => [file, fs.readFileSync(path.join(folder, file))]);
    for (const [file] of once) fs.rmSync(path.join(folder, file)); // an instance gets the files that it needs
    await compare('tree', ['fit', name, '--max-depth', String(depth), '--threads', '1', '-q', '--out', 'tree.json'], { writes: 'tree.json', as: timeless, talk: false });
    await compare('table', ['describe', name, '--json']);
    await compare('fingerprint', ['table', name, '--out', 'table.tw'], { writes: 'table.tw' });
    for (const format of ['python', 'pmml', 'onnx', 'svg']) await compare('export', ['export', 'tree.json', name, '--to', format, '--out', 'export'], { writes: 'export' });
    await compare('labels', ['predict', 'tree.json', name, '--proba', '--out', 'labels.csv'], { writes: 'labels.csv' });
    if (fs.statSync(path.join(folder, name)).size < 200e3) await compare('proof', ['fit', name, '--max-depth', '2', '--threads', '1', '-q', '--proof', 'tree.proof', '--out', '/dev/null'], { writes: 'tree.proof', talk: false });
    for (const [file, bytes] of once) fs.writeFileSync(path.join(folder, file), bytes);
    for (const file of ['tree.json', 'table.tw', 'export', 'labels.csv', 'tree.proof']) fs.rmSync(path.join(folder, file), { force: true });
  }
  await compare('complaint', ['fit', 'broken.csv'], { code: 3 });
  await compare('complaint', ['fit', 'absent.csv'], { code: 3 });
  for (const flags of [['wine.csv', '--max-depth', '3', '--alpha', '0.01'], ['breast-cancer.csv', '--max-depth', '3', '--class-weight', 'balanced', '--min-leaf', '5'], ['mixed.csv', '--class-weight', 'yes=1.7']])
    await compare('tree', ['fit', ...flags, '--threads', '1', '-q', '--out', 'tree.json'], { writes: 'tree.json', as: timeless, talk: false });
  for (const words of [
    ['iris.csv', '--max-depth', '2', '--top', '{"column":"petal_length","below":2.5,"left":"...","right":"?"}'],
    ['wine.csv', '--max-depth', '2', '--alpha', '0.01', '--top', '{"column":"alcohol","below":13,"left":"?","right":"..."}'],
    ['mixed.csv', '--max-depth', '3', '--top', '{"column":"colour","levels":["red"],"missing":"left","left":{"column":"amount","below":12.5,"left":"?","right":"..."},"right":"leaf"}'],
  ])
    await compare('splits', ['column-worth', ...words, '--threads', '1', '--verbose'], { heard: (text) => text.replace(/^seconds .*$/m, '') });
  await compare('tree', ['fit', 'wine.csv', '--max-depth', '2', '--top', '{"column":"alcohol","below":13,"left":{"column":"hue"},"right":"..."}', '--threads', '1', '-q', '--out', 'tree.json'], { writes: 'tree.json', as: timeless, talk: false });
  fs.rmSync(folder, { recursive: true });
  console.log(failed === 0 ? 'all equal' : `${failed} differ`);
  process.exitCode = failed === 0 ? 0 : 1;
};
main();
