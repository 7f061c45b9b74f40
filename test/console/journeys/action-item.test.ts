import { strict as assert } from 'node:assert'
import { openConsoleAs, openPageAndSettle } from '../../support/browser/console-pages.ts'
import { chooseOption, pressOn, tabTo } from '../../support/browser/keyboard.ts'
import { seedMeetingsWithRecaps } from '../../support/meetings/seed-recap.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { ADMIN } from '../../support/service/admin-user.ts'
import { startService } from '../../support/service/start-service.ts'
import { eventually } from '../../support/time/eventually.ts'
import { assertSoundPage, nameFor, testJourney } from './journey.ts'

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  return { service, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

testJourney(
  'action item',
  'an action item is ticked on the home page and found under “Mine”',
  async (browser, look) => {
    const { service, ada } = opened()
    const [mine, others] = [nameFor(look, 'Send the offer'), nameFor(look, 'Order desks')]
    await seedMeetingsWithRecaps(service.databaseUrl, [
      {
        title: nameFor(look, 'Customer call'),
        startedAt: new Date('2026-11-16T10:00:00Z'),
        summary: ['Northwind wants to start with thirty seats in January.'],
        actions: [
          { text: mine, owner: ADMIN.name, dueDate: '2026-11-20' },
          { text: others, owner: 'Ben Carter' },
        ],
      },
    ])
    await using window = await openConsoleAs(browser, ada, look)
    const { page } = window
    await openPageAndSettle(page, `${service.url}/`)
    const own = page.getByRole('region', { name: 'My open action items' })
    await pressOn(own.getByRole('checkbox', { name: mine }), 'Space')
    await eventually(async () => {
      const { body } = await ada.get('/web/actions?mine=true&state=done')
      return (body['actions'] as Array<{ text: string }>).some(({ text }) => text === mine) || null
    })
    await tabTo(own.getByRole('link', { name: 'Open the list' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/actions\?mine=true/)
    // On a phone the filters are behind a button.
    if (look.width < 640) await pressOn(page.getByRole('button', { name: 'Filters (1 set)' }))
    await chooseOption(page.getByLabel('State'), 'Done')
    const ticked = page.getByRole('checkbox', { name: mine })
    await ticked.waitFor()
    assert.equal(await ticked.isChecked(), true)
    assert.equal(await page.getByRole('checkbox', { name: others }).count(), 0)
    assert.equal(await page.getByLabel('Mine', { exact: true }).isChecked(), true)
    await assertSoundPage(window, 'journey-action-item')
  },
)
