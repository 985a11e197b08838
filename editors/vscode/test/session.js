// What a user does, in a real editor with a real server: runs inside of the editor, see run.js.
//
// Whatever is asked here is asked through the editor's own functions, so that the extension and its client are on the way.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const folder = process.env.ULT_SESSION_FOLDER;

const PROGRAM = `procedure count(n: int) returns (i: int)
  requires n >= 0;
{
  i := 0;
  while (i < n) { i := i + 1; }
  assert i == n;
}

procedure wrong(x: int)
{
  var y: int;
  y := x + 2;
  assert z != 9;
}
`;

// Nobody knows: the violation is a million rounds away.
const HARD = `procedure hard()
{
  var i, j: int;
  i, j := 0, 0;
  while (i < 1000000) {
    i := i + 1;
    if (*) { j := j + i; }
  }
  assert j < 499999000000;
}
`;

const GRAPH = `graph count {
  var x: int;
  init start;
  error bad "x is negative";
  start -> loop: x' == 0;
  loop -> loop: x' == x + 1;
  loop -> bad: x < 0;
}
`;

exports.run = async () => {
  const seen = [];
  const result = { seen };
  try {
    for (const [name, part] of Object.entries(parts)) {
      await part();
      seen.push(name);
    }
  } catch (error) {
    result.error = error instanceof Error ? error.stack : String(error);
  }
  fs.writeFileSync(path.join(folder, 'result.json.new'), JSON.stringify(result));
  fs.renameSync(path.join(folder, 'result.json.new'), path.join(folder, 'result.json'));
  if (result.error) throw new Error(result.error);
};

let document;

const parts = {
  'the extension is there': async () => {
    await until('the extension', () => vscode.extensions.getExtension('ult.ult') !== undefined);
    await until('its languages', async () => (await vscode.languages.getLanguages()).includes('boogie'));
  },

  'messages while typing': async () => {
    document = await open('session.bpl', PROGRAM);
    assert.equal(document.languageId, 'boogie');
    const [mistake] = await until('a message', () => messages(document));
    assert.equal(mistake.severity, vscode.DiagnosticSeverity.Error);
    assert.match(mistake.message, /no variable or constant `z`/);
    assert.deepEqual(ends(mistake.range), [12, 9, 12, 10]);
    await picture('message');
    await replace(document, mistake.range, 'y');
    await until('no message', () => messages(document).length === 0);
  },

  // Nobody asks for a check: a file that is opened is checked.
  'verdicts when opening': async () => {
    const opened = await open('opened.bpl', PROGRAM.replace('z', 'y'));
    const [violated] = await until('a verdict', () => messages(opened));
    assert.match(violated.message, /^assertion violated/);
  },

  'verdicts when saving': async () => {
    await vscode.window.showTextDocument(document);
    assert.ok(await document.save());
    const [violated] = await until('a verdict', () => messages(document));
    assert.match(violated.message, /^assertion violated/);
    assert.equal(violated.range.start.line, 12);
    const steps = violated.relatedInformation.map((step) => step.message);
    assert.ok(steps.some((step) => step.includes('y = 9')), steps.join('; '));
  },

  'code lenses and the counterexample': async () => {
    const lenses = await until('lenses with verdicts', async () => {
      const lenses = await ask('CodeLens', document.uri, 100);
      return lenses.some((lens) => lens.command?.title === 'show counterexample') && lenses;
    });
    const titles = lenses.map((lens) => `${lens.range.start.line}: ${lens.command.title}`);
    assert.ok(titles.includes('0: check') && titles.includes('8: check'), titles.join('; '));
    assert.ok(titles.some((title) => /^0: .*SAFE/i.test(title)), titles.join('; '));
    const { command } = lenses.find((lens) => lens.command.title === 'show counterexample');
    const run = await vscode.commands.executeCommand(command.command, ...command.arguments);
    assert.match(run, /x = 7/);
    assert.match(run, /VIOLATED/);
    const { command: check } = lenses.find((lens) => lens.command.title === 'check');
    const report = await vscode.commands.executeCommand(check.command, ...check.arguments);
    assert.equal(report.verdict, 'SAFE');
  },

  'values and invariants in the text': async () => {
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    await vscode.commands.executeCommand('ult.checkFile');
    const hints = await until('hints', async () => {
      const hints = await ask('InlayHint', document.uri, whole);
      return hints.some((hint) => hint.position.line === 4) && hints;
    });
    const text = hints.map((hint) => `${hint.position.line}: ${label(hint)}`).join('; ');
    assert.match(text, /4: .*i <= n/);
    await vscode.commands.executeCommand('ult.showCounterexample', document.uri.toString(), 'wrong');
    await until('a value behind a statement', async () => {
      const hints = await ask('InlayHint', document.uri, whole);
      return hints.some((hint) => hint.position.line === 11 && /y = 9/.test(label(hint)));
    });
    await picture('counterexample');
  },

  // After saving, without a further key: the lens at the loop, the hint, and the quick fix, which is taken then.
  'the inferred invariant is inserted': async () => {
    const before = document.getText();
    await replace(document, new vscode.Range(document.lineCount, 0, document.lineCount, 0), '// An edit.\n');
    await until('no verdict', () => messages(document).length === 0);
    assert.ok(await document.save());
    const offered = await until('a lens at the loop', async () => {
      const lenses = await ask('CodeLens', document.uri, 100);
      return lenses.find((lens) => lens.command?.title === 'insert invariant');
    });
    assert.equal(offered.range.start.line, 4);
    await picture('offered');
    const loop = new vscode.Range(4, 2, 4, 2);
    const actions = await ask('CodeAction', document.uri, loop);
    const fix = actions.find((action) => action.title === 'Insert the inferred invariant');
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.match(document.getText(), /while \(i < n\)\n    invariant .*\n/);
    await vscode.commands.executeCommand('undo');
    await until('the text as it was', () => !/invariant/.test(document.getText()));
    // The lens does the same. (The text is as it was saved: saving it again would be nothing.)
    await vscode.commands.executeCommand('ult.checkFile');
    await until('the lens again', async () => {
      const lenses = await ask('CodeLens', document.uri, 100);
      return lenses.some((lens) => lens.command?.title === 'insert invariant');
    });
    await vscode.commands.executeCommand(offered.command.command, ...offered.command.arguments);
    await until('the invariant', () => /while \(i < n\)\n    invariant .*\n/.test(document.getText()));
    assert.ok(await document.save());
    await until('a verdict', () => messages(document));
    const lenses = await ask('CodeLens', document.uri, 100);
    assert.ok(!lenses.some((lens) => lens.command?.title === 'insert invariant'));
    await picture('inserted');
    await replace(document, new vscode.Range(0, 0, document.lineCount, 0), before);
    await until('no verdict', () => messages(document).length === 0);
    assert.ok(await document.save());
    await until('a verdict', () => messages(document));
  },

  'other quick fixes, and declarations of all files': async () => {
    const file = await open('fixes.bpl', 'var total: int;\nprocedure add(count: int)\n{\n  total := cuont;\n}\n');
    const fixesIn = async (line) => {
      const actions = await ask('CodeAction', file.uri, new vscode.Range(line, 0, line, 99));
      return actions.filter((action) => action.edit);
    };
    const meant = await until('what was meant', () => fixesIn(3));
    assert.equal(meant[0].title, 'Change to `count`');
    assert.ok(await vscode.workspace.applyEdit(meant[0].edit));
    const clause = await until('the clause', async () => (await fixesIn(1)).filter((fix) => /modifies/.test(fix.title)));
    assert.ok(await vscode.workspace.applyEdit(clause[0].edit));
    assert.equal(file.getText(), 'var total: int;\nprocedure add(count: int)\n  modifies total;\n{\n  total := count;\n}\n');
    const found = await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'tota');
    assert.ok(found.some((symbol) => symbol.name === 'total' && /fixes\.bpl$/.test(symbol.location.uri.path)));
    await vscode.window.showTextDocument(document);
  },

  'hovering, definitions, an outline': async () => {
    const hovers = await ask('Hover', document.uri, new vscode.Position(5, 14));
    const text = hovers.flatMap((hover) => hover.contents.map((content) => content.value)).join('\n');
    assert.match(text, /n: int/);
    const [definition] = await ask('Definition', document.uri, new vscode.Position(12, 9));
    assert.equal((definition.range ?? definition.targetRange).start.line, 10);
    const symbols = await ask('DocumentSymbol', document.uri);
    assert.deepEqual(symbols.map((symbol) => symbol.name), ['count', 'wrong']);
  },

  renaming: async () => {
    const edit = await vscode.commands.executeCommand(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      new vscode.Position(10, 6),
      'sum',
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(document.getText(), /var sum: int;\n  sum := x \+ 2;\n  assert sum != 9;/);
    assert.doesNotMatch(document.getText(), /\by\b/);
    // The verdict was about another text.
    await until('no verdict', () => messages(document).length === 0);
  },

  layout: async () => {
    await replace(document, document.lineAt(11).range, '    sum:=x+2;');
    const edits = await ask('FormatDocument', document.uri, { tabSize: 2, insertSpaces: true });
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.lineAt(11).text, '  sum := x + 2;');
  },

  'an edit cancels a check': async () => {
    const hard = await open('hard.bpl', HARD);
    const start = Date.now();
    const answer = vscode.commands.executeCommand('ult.check', hard.uri.toString()).then(
      (report) => report?.verdict ?? 'nothing',
      (error) => `refused: ${error.message}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await replace(hard, new vscode.Range(0, 0, 0, 0), '// An edit.\n');
    assert.match(await answer, /refused|UNKNOWN/);
    // The server was told to try for 300 seconds.
    assert.ok(Date.now() - start < 60000);
    // It is of use: a mistake is told.
    await replace(hard, new vscode.Range(0, 0, 0, 0), 'mistake\n');
    await until('a message', () => messages(hard).length > 0);
  },

  'program graphs': async () => {
    const graph = await open('count.ult', GRAPH);
    assert.equal(graph.languageId, 'ult');
    const report = await until('the server', () =>
      vscode.commands.executeCommand('ult.check', graph.uri.toString()),
    );
    assert.equal(report.verdict, 'SAFE');
    await picture('graph');
  },

  'a restart': async () => {
    await vscode.commands.executeCommand('ult.restart');
    const file = await open('again.bpl', PROGRAM);
    await until('a message of the new server', () => messages(file).length > 0);
  },
};

async function open(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  await vscode.window.showTextDocument(document);
  return document;
}

/** What the server says about a document. */
function messages(document) {
  return vscode.languages.getDiagnostics(document.uri).filter((message) => message.source === 'ult');
}

function ask(what, ...args) {
  return vscode.commands.executeCommand(`vscode.execute${what}Provider`, ...args);
}

async function replace(document, range, text) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function label(hint) {
  return typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('');
}

function ends({ start, end }) {
  return [start.line, start.character, end.line, end.character];
}

/** Waits until there is something, which is not an empty list. */
async function until(what, look) {
  const end = Date.now() + 60000;
  for (;;) {
    const found = await look();
    if (found && !(Array.isArray(found) && found.length === 0)) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has a picture of the window taken, by who runs this. */
async function picture(name) {
  fs.writeFileSync(path.join(folder, `${name}.wanted`), '');
  await until(`the picture of ${name}`, () => fs.existsSync(path.join(folder, `${name}.png`)));
}
