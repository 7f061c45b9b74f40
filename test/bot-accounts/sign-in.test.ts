import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readStateAfterConfirmedSignIn } from '../../src/bots/accounts/sign-in.ts'
import { openStage } from '../../stage/stage.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { openBrowser } from '../support/browser/open-browser.ts'

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
