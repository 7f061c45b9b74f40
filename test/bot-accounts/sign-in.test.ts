import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  openSignInBrowser,
  readStateAfterConfirmedSignIn,
} from '../../src/bots/accounts/sign-in.ts'
import { findBrowserAccount } from '../../src/bots/browser/launch/isolation.ts'
import { PROCESS_ENV_AND_HOME } from '../../src/config/load-config.ts'
import { createLog } from '../../src/log.ts'
import { openStage } from '../../stage/stage.ts'
import { createBrowserScript } from '../support/browser/browser-script.ts'
import { openBrowser } from '../support/browser/open-browser.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'

test("an interactive sign-in returns the browser's state, and nothing when the window is closed", async () => {
  await using stage = await openStage()
  const browser = await openBrowser(stage.browserArguments)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => browser.close())
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const signing = async () => {
    const [context] = browser.contexts()
    const [page] = context?.pages() ?? []
    assert.match(page?.url() ?? '', /^https:\/\/accounts\.google\.com\//)
    await context?.addCookies(signedInState('google_meet', 'by hand').cookies)
  }
  const read = await readStateAfterConfirmedSignIn(browser, 'google_meet', signing, say)
  assert.ok(read.isValid)
  assert.ok(read.state.cookies.some(({ name, value }) => name === 'SID' && value === 'by hand'))
  assert.match(lines.join(' '), /Sign in to Google Meet .* press Enter/)

  const nobody = await readStateAfterConfirmedSignIn(
    browser,
    'microsoft_teams',
    async () => {},
    say,
  )
  assert.ok(!nobody.isValid)
  const never = () => browser.close().then(() => new Promise(() => {}))
  await assert.rejects(
    readStateAfterConfirmedSignIn(browser, 'google_meet', never, say),
    /The window was closed/,
  )
})

test('the browser of a sign-in gets no secrets of the service, and under root it does not run as root', async () => {
  using scripted = await createBrowserScript(
    (folder) => [`env > ${folder}/env`, `id -u > ${folder}/uid`, 'exit 1'],
    'chrome',
  )
  const env = { ...PROCESS_ENV_AND_HOME.env, DISPLAY: ':5', ANTHROPIC_API_KEY: 'hunter2' }
  const opening = openSignInBrowser({
    settings: { browserPath: scripted.program, browserCdp: undefined, browserArgs: [] },
    machine: { env, home: scripted.folder },
    cache: scripted.folder,
    log: createLog('silent'),
  })
  await assert.rejects(opening, /The browser did not open/)
  const given = readFileSync(join(scripted.folder, 'env'), 'utf8')
  assert.match(given, /^DISPLAY=:5$/m)
  assert.doesNotMatch(given, /hunter2/)
  const account = await findBrowserAccount(env)
  const uid = account?.uid ?? process.getuid?.()
  assert.equal(readFileSync(join(scripted.folder, 'uid'), 'utf8').trim(), String(uid))
})
