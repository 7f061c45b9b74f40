import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { createUnsubscribeToken } from '../../src/mail/unsubscribe.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import { assertFitsPhone } from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { mailSettings } from '../support/mail/mail-server.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'

test('a person who is not signed in turns off recap mail with one button', async () => {
  await using service = await startService({
    ...mailSettings({ url: 'smtp://127.0.0.1:1' }),
    HANSARD_MASTER_KEY: MASTER_KEY,
  })
  const ada = await service.adminClient()
  const { body } = await ada.get('/web/state')
  const { id } = body['user'] as { id: string }
  const token = createUnsubscribeToken(createSecretBox(Buffer.from(MASTER_KEY, 'base64')), {
    what: 'recaps',
    whom: id,
  })
  const origin = `http://127.0.0.1:${service.port}`
  await using window = await openIsolatedWindow(await openSharedBrowser(), origin)
  const { page } = window
  await page.goto(`${origin}/unsubscribe/${token}`)
  await assertAccessible(page, 'unsubscribe')
  await assertFitsPhone(page, 'unsubscribe')
  await page.getByRole('button', { name: 'Get no recaps by mail' }).click()
  await page.getByRole('heading', { name: 'You get no more recaps by mail' }).waitFor()
  await assertAccessible(page, 'unsubscribed')
  assert.equal((await ada.get('/web/notifications')).body['recapMail'], 'none')
})
