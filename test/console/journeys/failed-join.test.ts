import { strict as assert } from 'node:assert'
import { openConsoleAs, openPageAndSettle } from '../../support/browser/console-pages.ts'
import { pressOn } from '../../support/browser/keyboard.ts'
import { signedInState } from '../../support/meetings/bot-accounts.ts'
import { createScriptedPlatform } from '../../support/meetings/scripted-platform.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { startService } from '../../support/service/start-service.ts'
import { eventually } from '../../support/time/eventually.ts'
import { assertSoundPage, nameFor, openFromMenu, testJourney } from './journey.ts'

const opened = openForFile(async () => {
  const stage = createScriptedPlatform()
  const service = await startService({}, { platforms: [stage] })
  const ada = await service.adminClient()
  const state = JSON.stringify(signedInState('google_meet', 'hidden'))
  const account = { name: 'notes', platform: 'google_meet', state }
  assert.equal((await ada.post('/web/system/bot-accounts', account)).status, 201)
  return { service, stage, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

testJourney(
  'failed join',
  'a failed join says what to do, and a bot account repairs it',
  async (browser, look) => {
    const { service, stage, ada } = opened()
    const title = nameFor(look, 'Board')
    const name = `board_${look.width}_${look.colorScheme}`
    const room = stage.room(name)
    room.emit({ kind: 'over', because: 'sign_in_required' })
    const { body } = await ada.post('/web/meetings/start', { url: `stage://${name}`, title })
    const failedId = String(body['meetingId'])
    await eventually(async () => {
      const { meeting } = (await ada.get(`/web/meetings/${failedId}`)).body
      return (meeting as { status: string }).status === 'error' ? true : null
    })

    await using window = await openConsoleAs(browser, ada, look)
    const { page } = window
    await openPageAndSettle(page, `${service.url}/`)
    await openFromMenu(page, 'Meetings')
    await pressOn(page.getByRole('main').getByRole('link', { name: title, exact: true }))
    const notice = page.getByRole('note')
    await notice.getByText('Only people who are signed in can join this meeting.').waitFor()
    await assertSoundPage(window, 'journey-failed-join')
    await pressOn(notice.getByRole('button', { name: 'Use a bot account' }))
    const dialog = page.getByRole('dialog', { name: 'Use a bot account' })
    await pressOn(dialog.getByRole('button', { name: 'Try again' }))
    await page.waitForURL(
      (url) => /\/meetings\/meeting_/.test(url.href) && !url.href.includes(failedId),
    )
    const text = 'Thank you all for coming.'
    room.emit(
      { kind: 'admitted' },
      { kind: 'caption', captionId: 'c1', speaker: 'Ana', text, version: 1, isFinal: true },
    )
    await page.locator('#line-1').getByText(text).waitFor()
    await page.getByRole('main').getByText('Live', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Earlier attempt' }).waitFor()
    await assertSoundPage(window, 'journey-repaired-join')
    // The account can be in one meeting at a time.
    await pressOn(page.getByRole('button', { name: 'Stop', exact: true }))
    await pressOn(page.getByRole('dialog').getByRole('button', { name: 'Stop and leave' }))
    await page.getByRole('main').getByText('Ended', { exact: true }).first().waitFor()
  },
)
