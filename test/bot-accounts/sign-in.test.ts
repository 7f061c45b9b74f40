import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { signInWith } from '../../src/bot-accounts/sign-in.ts'
import { openStage } from '../../stage/stage.ts'
import { signedIn } from '../support/bot-accounts.ts'
import { openBrowser } from '../support/browser.ts'

test('who signs in by hand leaves what the browser keeps, and nothing when the window is closed', async () => {
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
    await context?.addCookies(signedIn('google_meet', 'by hand').cookies)
  }
  const read = await signInWith(browser, 'google_meet', signing, say)
  assert.ok(read.isSound)
  assert.ok(read.state.cookies.some(({ name, value }) => name === 'SID' && value === 'by hand'))
  assert.match(lines.join(' '), /Sign in to Google Meet .* press Enter/)

  const nobody = await signInWith(browser, 'microsoft_teams', async () => {}, say)
  assert.ok(!nobody.isSound)
  const never = () => browser.close().then(() => new Promise(() => {}))
  await assert.rejects(signInWith(browser, 'google_meet', never, say), /The window was closed/)
})
