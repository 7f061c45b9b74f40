import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ScimClient } from '../provisioning/scim-world.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openConsoleAs,
  openPageAndSettle,
} from '../support/browser/console-pages.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService } from '../support/service/start-service.ts'

const HOSTILE = 'Sales <img src=x onerror="window.__pwned=1">'

async function checkPage(page: Page, name: string): Promise<void> {
  await assertAccessible(page, name)
  await assertFitsPhone(page, name)
}

async function createPrivateProject(ada: HttpClient): Promise<void> {
  const saved = await ada.put('/web/projects/plans/documents/a.md', 'secret', {
    'content-type': 'text/markdown',
  })
  assert.ok(saved.status < 300, JSON.stringify(saved.body))
  assert.equal((await ada.put('/web/projects/plans/access', { access: 'private' })).status, 200)
}

test('an administrator turns provisioning on, gives a group a role, and revokes the token', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await createPrivateProject(ada)
  await using window = await openConsoleAs(await openSharedBrowser(), ada)
  const { page } = window
  const dialog = page.getByRole('dialog')
  await openPageAndSettle(page, `${service.url}/system?tab=provisioning`)
  await page.getByText('No tokens yet.').waitFor()
  await page.getByText('No groups yet.').waitFor()
  const address = await page.getByLabel('Address of the SCIM service').inputValue()
  assert.match(address, /^http.*\/scim\/v2$/)
  assert.equal(await page.getByRole('switch', { name: 'Provisioning is on' }).isChecked(), false)
  await checkPage(page, 'provisioning-empty')

  await page.getByRole('button', { name: 'New token' }).click()
  await dialog.getByLabel('Name').fill('Entra')
  await assertAccessible(page, 'provisioning-new-token')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const secret = await dialog.getByRole('textbox', { name: 'Token' }).inputValue()
  await assertAccessible(page, 'provisioning-token')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(secret))
  const scim = new ScimClient(service.url, secret)
  assert.equal((await scim.get('/Users')).status, 403)

  await page.getByRole('switch', { name: 'Provisioning is on' }).press('Space')
  await page.getByRole('checkbox', { name: /^Revoke the service tokens/ }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { body } = await ada.get('/web/provisioning')
  assert.partialDeepStrictEqual(body, { isOn: true, revokesServiceTokens: false })
  const ben = await scim.createUser('ben@example.com', { displayName: 'Ben Provisioned' })
  await scim.createGroup(HOSTILE, [ben])

  await openPageAndSettle(page, `${service.url}/system?tab=provisioning`)
  assert.equal(await page.getByRole('switch', { name: 'Provisioning is on' }).isChecked(), true)
  await page.getByRole('button', { name: /^Roles of Sales/ }).click()
  await dialog.getByText('This group has no role in a project yet.').waitFor()
  await dialog.getByLabel('Project').fill('no-such-project')
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByText('Code project_not_found').waitFor()
  await dialog.getByLabel('Project').fill('plans')
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByText('plans: reader').waitFor()
  await dialog.getByText('Added.').waitFor()
  assert.equal(await dialog.getByLabel('Project').inputValue(), '')
  await dialog.getByRole('button', { name: 'Make editor of plans' }).click()
  await dialog.getByText('plans: editor').waitFor()
  await checkPage(page, 'provisioning-roles')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByText('plans: editor').waitFor()
  await checkPage(page, 'provisioning')
  assert.equal(await page.evaluate('window.__pwned'), undefined)

  await openPageAndSettle(page, `${service.url}/projects/plans`)
  await page.getByRole('button', { name: 'Manage access' }).click()
  await dialog.getByText('ben@example.com').waitFor()
  await dialog.getByText(/by provisioning · editor by a group/).waitFor()
  await openPageAndSettle(page, `${service.url}/system?tab=people`)
  await page.getByText('Ben Provisioned').first().waitFor()

  await openPageAndSettle(page, `${service.url}/system?tab=provisioning`)
  await page.getByRole('button', { name: /^Roles of Sales/ }).click()
  await dialog.getByRole('button', { name: 'Remove the role in plans' }).click()
  await dialog.getByRole('button', { name: 'Remove role' }).click()
  await dialog.getByText('This group has no role in a project yet.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Revoke Entra' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet.').waitFor()
  assert.equal((await scim.get('/Users')).status, 401)
  assert.deepEqual(window.pageErrors, [])
})
