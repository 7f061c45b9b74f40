import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowserAccount } from '../../../src/bots/browser/launch/isolation.ts'
import { unpackPackagedBrowser } from '../../../src/bots/browser/launch/packaged-browser.ts'
import { INSTALLATION_FOLDER, PROCESS_ENV_AND_HOME } from '../../../src/config/load-config.ts'

export type BrowserScript = Disposable & { folder: string; program: string }

/** A program that runs these shell lines and then the packaged browser. Every account may use its folder. */
export async function createBrowserScript(
  lines: (folder: string) => readonly string[],
  name = 'headless-shell',
): Promise<BrowserScript> {
  const account = await findBrowserAccount(PROCESS_ENV_AND_HOME.env)
  const cache = join(INSTALLATION_FOLDER, 'node_modules/.cache')
  const { path, env } = await unpackPackagedBrowser(cache, account)
  const folder = mkdtempSync(join(tmpdir(), 'hansard-launch-'))
  const program = join(folder, name)
  const exports = Object.entries(env).map(([key, value]) => `export ${key}='${value}'`)
  const script = ['#!/bin/sh', ...lines(folder), ...exports, `exec ${path} "$@"`]
  writeFileSync(program, script.join('\n'))
  chmodSync(program, 0o755)
  chmodSync(folder, 0o777)
  return { folder, program, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
