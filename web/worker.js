// The page's worker: each request runs the command once, in an instance of its own, on files in memory. Behind it in the same script stands
// emscripten's part, which defines `treewright`.

let engine = null; // the compiled module, as a promise
const kept = new Map(); // files that stay from one run to the next: name -> bytes

const unpacked = async (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

// While a run computes, nothing that the page sends is heard. But the command looks at the clock all the time: every now and then the clock
// lets it wait for a moment, and a message that is there is taken. That needs a browser whose WebAssembly can wait for a promise.
const kPause = 200; // milliseconds
const canWait = 'Suspending' in WebAssembly;
let running = null, due = Infinity, stopped = false;

const pausing = (clock) =>
  new WebAssembly.Suspending((...where) => {
    const answer = clock(...where), now = performance.now();
    if (now < due) return answer;
    return new Promise((done) => setTimeout(() => {
      due = performance.now() + kPause;
      done(answer);
    }));
  });

// The command's main function, with these words.
const called = (instance, main, words) => {
  const all = ['treewright', ...words], places = instance._malloc(4 * (all.length + 1));
  all.forEach((word, i) => instance.setValue(places + 4 * i, instance.allocateUTF8(word), 'i32'));
  instance.setValue(places + 4 * all.length, 0, 'i32');
  return canWait ? WebAssembly.promising(main)(all.length, places) : main(all.length, places);
};

const run = async ({ id, words, files = {}, take = [], keep = [] }) => {
  const printed = [], said = [];
  let main;
  stopped = false;
  const instance = await treewright({
    instantiateWasm: (imports, done) => {
      if (canWait) imports.env.clock_gettime = pausing(imports.env.clock_gettime);
      engine.then((module) => WebAssembly.instantiate(module, imports)).then((made) => {
        ({ main } = made.exports);
        done(made);
      });
      return {};
    },
    print: (line) => printed.push(line),
    printErr: (line) => {
      said.push(line);
      postMessage({ id, line });
    },
    news: (unit, seconds, incumbent, bound, left) => postMessage({ id, news: { unit, seconds, incumbent, bound, left } }),
  });
  instance.FS.mkdir('/out');
  for (const [name, bytes] of [...kept, ...Object.entries(files)]) instance.FS.writeFile(name, bytes);
  running = instance;
  due = 0;
  if (stopped) instance._treewright_stop(); // before it had begun
  const code = await called(instance, main, words);
  running = null;
  const taken = {};
  for (const name of take.filter((file) => instance.FS.analyzePath(file).exists)) taken[name] = instance.FS.readFile(name);
  for (const name of keep) {
    if (instance.FS.analyzePath(name).exists) kept.set(name, instance.FS.readFile(name));
  }
  return { id, code, printed: printed.join('\n'), said, files: taken };
};

postMessage({ canWait });
onmessage = async ({ data }) => {
  if (data.stop) {
    stopped = true;
    running?._treewright_stop();
    return;
  }
  try {
    if (data.engine) engine = unpacked(data.engine).then((bytes) => WebAssembly.compile(bytes));
    for (const [name, bytes] of Object.entries(data.hold ?? {})) bytes ? kept.set(name, bytes) : kept.delete(name);
    if (data.words) postMessage(await run(data));
  } catch (problem) {
    postMessage({ id: data.id, code: -1, said: [], broken: String(problem?.message ?? problem) });
  }
};
