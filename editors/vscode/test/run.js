// Runs session.js in a real editor: VS Code's server, which comes inside of the npm package code-server, with a headless
// Chromium as its window. `npm run editor` gets both but Chromium; nothing else of this package needs them.
//
//   ULT=path/to/ult CHROMIUM=path/to/chromium node test/run.js [FOLDER FOR PICTURES]
//
// Exit code 0: all went well; 1: something did not; 77: an editor is not installed, so nothing was tried.

const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const here = __dirname;
const extension = path.dirname(here);
const editor = path.join(here, 'editor/node_modules');
const server = path.join(editor, 'code-server/lib/vscode');
const ult = path.resolve(process.env.ULT ?? path.join(extension, '../../target/debug/ult'));

function skip(why) {
  console.log(`The session in VS Code was skipped: ${why}`);
  process.exit(77);
}

function chromium() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const paths = names.flatMap((name) => (path.isAbsolute(name) ? [name] : folders.map((f) => path.join(f, name))));
  return paths.find((file) => fs.existsSync(file)) ?? skip('there is no Chromium');
}

/** A port that is free now. */
function freePort() {
  return new Promise((resolve, reject) => {
    const socket = net.createServer();
    socket.once('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

async function until(what, seconds, look) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function main() {
  const program = path.join(server, 'out/server-main.js');
  if (!fs.existsSync(path.join(editor, '.complete'))) skip('`npm run editor` was not run');
  const executablePath = chromium();
  if (!fs.existsSync(ult)) throw new Error(`there is no ${ult}: build it, or name it in ULT`);
  const packaged = path.join(extension, 'ult.vsix');
  if (!fs.existsSync(packaged)) throw new Error('there is no ult.vsix: `npm run package` makes it');

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ult-vscode-'));
  const data = path.join(folder, 'data');
  const extensions = path.join(folder, 'extensions');
  const work = path.join(folder, 'work');
  for (const each of [data, extensions, work, path.join(data, 'data/Machine')]) fs.mkdirSync(each, { recursive: true });
  const settings = {
    'ult.path': ult,
    'ult.arguments': ['--timeout', '300'],
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'none',
    'extensions.autoUpdate': false,
    'editor.minimap.enabled': false,
    'files.autoSave': 'off',
  };
  fs.writeFileSync(path.join(data, 'data/Machine/settings.json'), JSON.stringify(settings));

  const common = ['--accept-server-license-terms', '--extensions-dir', extensions, '--server-data-dir', data];
  const installed = spawnSync(
    process.execPath,
    [program, ...common, '--install-extension', packaged],
    { encoding: 'utf8' },
  );
  if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);

  const port = await freePort();
  const log = fs.openSync(path.join(folder, 'server.log'), 'w');
  const child = spawn(
    process.execPath,
    [program, ...common, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    { env: { ...process.env, ULT_SESSION_FOLDER: work }, stdio: ['ignore', log, log] },
  );
  const { chromium: browsers } = require(path.join(editor, 'playwright-core'));
  let browser;
  try {
    const address = `127.0.0.1:${port}`;
    await until('the editor', 60, () => fetch(`http://${address}/`).then((r) => r.ok, () => false));
    browser = await browsers.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    // While tests run, only the extension under test is switched on: the packaged one, where it was installed to.
    const unpacked = fs.readdirSync(extensions).find((name) => name.startsWith('ult.'));
    const session = path.join(folder, 'session.js');
    fs.copyFileSync(path.join(here, 'session.js'), session);
    const remote = (file) => `vscode-remote://${address}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(path.join(extensions, unpacked))],
      ['extensionTestsPath', remote(session)],
    ];
    const query = new URLSearchParams({ folder: work, payload: JSON.stringify(payload) });
    await page.goto(`http://${address}/?${query}`);

    const result = path.join(work, 'result.json');
    const pictures = process.argv[2];
    await until('the end of the session', 600, async () => {
      for (const name of fs.readdirSync(work).filter((name) => name.endsWith('.wanted'))) {
        const file = path.join(work, name.replace(/wanted$/, 'png'));
        fs.rmSync(path.join(work, name));
        await page.waitForTimeout(500);
        await page.screenshot({ path: `${file}.new`, type: 'png' });
        if (pictures) {
          fs.mkdirSync(pictures, { recursive: true });
          fs.copyFileSync(`${file}.new`, path.join(pictures, path.basename(file)));
        }
        fs.renameSync(`${file}.new`, file);
      }
      return fs.existsSync(result);
    });
    const { seen, error } = JSON.parse(fs.readFileSync(result, 'utf8'));
    for (const name of seen) console.log(`ok    ${name}`);
    if (error) throw new Error(error);
  } catch (error) {
    console.log(fs.readFileSync(path.join(folder, 'server.log'), 'utf8').slice(-4000));
    throw error;
  } finally {
    await browser?.close();
    child.kill();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
