import { strict as assert } from 'node:assert'
import { startAccessWorld } from '../../support/access/access-world.ts'
import { openConsoleAs, openPageAndSettle } from '../../support/browser/console-pages.ts'
import { chooseOption, pressOn } from '../../support/browser/keyboard.ts'
import { openIsolatedWindow } from '../../support/browser/open-browser.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { assertSoundPage, testJourney } from './journey.ts'

const opened = openForFile(async () => {
  const world = await startAccessWorld()
  const [owner, other] = [await world.addUser('admin'), await world.addUser()]
  return { world, owner, other, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
})

testJourney(
  'sharing',
  'a meeting of a private project is shared by a link that needs no account',
  async (browser, look) => {
    const { world, owner, other } = opened()
    const word = `harbour${look.width}${look.colorScheme}`
    const { meeting } = await world.plant('board', word)
    await world.setAccess('board', 'private')
    await world.addMember('board', owner.userId, 'owner')
    const seen = await world.call(other.session, 'GET', `/web/meetings/${meeting}`)
    assert.equal(seen.status, 404)

    const person = { url: world.url, cookie: owner.session['cookie'] ?? '' }
    await using window = await openConsoleAs(browser, person, look)
    const { page } = window
    await openPageAndSettle(page, `${world.url}/meetings/${meeting}`)
    const share = page.getByRole('button', { name: 'Share', exact: true })
    await pressOn(share)
    const dialog = page.getByRole('dialog', { name: 'Share by link' })
    await chooseOption(dialog.getByLabel('Expires'), 'In 7 days')
    await pressOn(dialog.getByRole('button', { name: 'Create link' }))
    const link = dialog.getByLabel('New link')
    await link.and(page.locator(':focus')).waitFor()
    const url = await link.inputValue()
    await assertSoundPage(window, 'journey-share-dialog')

    await using strangerWindow = await openIsolatedWindow(browser, world.url, look)
    const stranger = strangerWindow.page
    await stranger.goto(url)
    await stranger.getByRole('heading', { name: `About ${word}`, level: 1 }).waitFor()
    await stranger.getByText(`It was about ${word}`).waitFor()
    await stranger.getByText(`We talked about ${word} today`).waitFor()
    assert.deepEqual(await strangerWindow.context.cookies(), [])
    await assertSoundPage(strangerWindow, 'journey-shared-meeting')

    await pressOn(dialog.getByRole('button', { name: 'Done' }))
    await share.and(page.locator(':focus')).waitFor()
  },
)
