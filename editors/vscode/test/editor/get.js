// Gets the editor that run.js uses into this folder: the packages of package-lock.json, and then what the editor inside of
// code-server needs. Nobody's install scripts are run: what they would build (terminals, passwords) is not used.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

function npm(folder, ...args) {
  const all = [...args, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', all, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

npm(__dirname, 'ci');
// Its own lock file lacks a package, which `npm ci` does not forgive.
npm(path.join(__dirname, 'node_modules/code-server/lib/vscode'), 'install', '--omit=dev');
// For run.js, which does not want half of it.
fs.writeFileSync(path.join(__dirname, 'node_modules/.complete'), '');
