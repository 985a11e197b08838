// Starts `ult lsp` and connects the editor with it. Everything else is the server's work.

import * as vscode from 'vscode';
import {
  ClientCapabilities,
  FeatureState,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  StaticFeature,
} from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const runs = vscode.window.createOutputChannel('ult: counterexamples');
  context.subscriptions.push(
    runs,
    vscode.commands.registerCommand('ult.checkFile', checkFile),
    vscode.commands.registerCommand('ult.restart', () => restart(runs)),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration('ult') ? restart(runs) : undefined,
    ),
    // C files wake the extension up; whether they are its business is a setting.
    vscode.workspace.onDidOpenTextDocument((document) =>
      client === undefined && languages().includes(document.languageId) ? start(runs) : undefined,
    ),
  );
  const documents = vscode.workspace.textDocuments;
  if (documents.some((document) => languages().includes(document.languageId))) {
    await start(runs);
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The languages that the server is asked about. */
function languages(): string[] {
  const withC = vscode.workspace.getConfiguration('ult').get<boolean>('c', false);
  return withC ? ['boogie', 'ult', 'c'] : ['boogie', 'ult'];
}

async function start(runs: vscode.OutputChannel): Promise<void> {
  const settings = vscode.workspace.getConfiguration('ult');
  const server: ServerOptions = {
    command: settings.get<string>('path', 'ult'),
    args: ['lsp', ...settings.get<string[]>('arguments', [])],
  };
  const options: LanguageClientOptions = {
    documentSelector: languages().map((language) => ({ language })),
    middleware: {
      // The server answers this command with the run in words.
      executeCommand: async (command, args, next) => {
        const result: unknown = await next(command, args);
        if (command === 'ult.showCounterexample' && typeof result === 'string') {
          runs.clear();
          runs.append(result);
          runs.show(true);
        }
        // And this one with a page about the program, which needs nothing else.
        if (command === 'ult.showGraph' && typeof result === 'string') {
          showPage(result);
        }
        return result;
      },
    },
  };
  client = new LanguageClient('ult', 'ult', server, options);
  client.registerFeature(new Pages());
  try {
    await client.start();
  } catch (error) {
    const command = server.command;
    void vscode.window.showErrorMessage(
      `ult: the server \`${command} lsp\` does not start: ${String(error)}. The setting "ult.path" says where ult is.`,
    );
  }
}

/** Tells the server that pages can be shown. */
class Pages implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = (capabilities.experimental ?? {}) as object;
    capabilities.experimental = { ...others, ultPages: true };
  }
  initialize(): void {}
  getState(): FeatureState {
    return { kind: 'static' };
  }
  clear(): void {}
}

function showPage(page: string): void {
  const panel = vscode.window.createWebviewPanel('ult.graph', 'ult: graph', vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panel.webview.html = page;
}

async function restart(runs: vscode.OutputChannel): Promise<void> {
  const old = client;
  client = undefined;
  // A server that did not start cannot be stopped.
  await old?.dispose().catch(() => undefined);
  await start(runs);
}

async function checkFile(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    await vscode.commands.executeCommand('ult.check', editor.document.uri.toString());
  }
}
