import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, visit } from '../support/browser.ts'
import { ADMIN, startService } from '../support/service.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

test('a person follows the set-up link, makes a token, uses it and revokes it', async () => {
  await using service = await startService()
  await using seen = await visit(browser, service.url)
  const { page } = seen
  await page.goto(service.setupLink ?? '')
  await page.getByLabel('Name').fill(ADMIN.name)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Create account' }).click()

  await page.waitForURL(`${service.url}/`)
  assert.doesNotMatch(page.url(), /#/)
  await page.goto(`${service.url}/account?tab=tokens`)
  await page.getByRole('button', { name: 'New token' }).first().click()
  await page.getByLabel('Token name').fill('backend')
  await page.getByRole('button', { name: 'Create token' }).click()

  const apiKey = await page.getByLabel('API key', { exact: true }).inputValue()
  const signingSecret = await page.getByLabel('Signing secret', { exact: true }).inputValue()
  assert.match(apiKey, /^sk_[0-9A-Za-z]{38}$/)
  assert.match(signingSecret, /^ss_[0-9A-Za-z]{43}$/)
  const done = page.getByRole('button', { name: 'Done' })
  assert.equal(await done.isDisabled(), true)
  await page.getByLabel('I have stored both').check()
  await done.click()
  assert.doesNotMatch(await page.content(), new RegExp(`${apiKey}|${signingSecret}`))

  const program = service.visitor()
  assert.equal((await program.get('/api/v1/token', { 'x-api-key': apiKey })).status, 200)
  await page.getByRole('button', { name: 'Revoke backend' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByRole('button', { name: 'Revoke backend' }).waitFor({ state: 'detached' })
  assert.equal((await program.get('/api/v1/token', { 'x-api-key': apiKey })).status, 401)
  assert.deepEqual(seen.outside, [])
  assert.deepEqual(seen.complaints, [])
})

test('both values can be copied', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visit(browser, service.url)
  const { page, context } = seen
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  const [name = '', value = ''] = ada.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: service.url }])
  await page.goto(`${service.url}/account?tab=tokens`)
  await page.getByRole('button', { name: 'New token' }).first().click()
  await page.getByLabel('Token name').fill('copied')
  await page.getByRole('button', { name: 'Create token' }).click()

  const apiKey = await page.getByLabel('API key', { exact: true }).inputValue()
  const signingSecret = await page.getByLabel('Signing secret', { exact: true }).inputValue()
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('button', { name: 'Copy API key' }).click()
  assert.equal(await clipboard(), apiKey)
  await page.getByRole('button', { name: 'Copy signing secret' }).click()
  assert.equal(await clipboard(), signingSecret)
  await page.getByRole('button', { name: 'Copy both as .env' }).click()
  assert.equal(
    (await clipboard()).trim(),
    `HANSARD_API_KEY=${apiKey}\nHANSARD_SIGNING_SECRET=${signingSecret}`,
  )
})

test('an invited person makes their own account', async () => {
  await using service = await startService()
  const ada = await service.admin()
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  await using seen = await visit(browser, service.url)
  const { page } = seen
  await page.goto(body['link'] as string)
  await page.getByLabel('Name').fill('Bob')
  await page.getByLabel('E-mail').fill('bob@example.com')
  await page.getByLabel('Password', { exact: true }).fill('bobs own secret')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${service.url}/`)
  const { body: people } = await ada.get('/web/people')
  assert.equal((people['users'] as unknown[]).length, 2)
})

test('a wrong password is explained beside the form, and the right one leads on', async () => {
  await using service = await startService()
  await service.admin()
  await using seen = await visit(browser, service.url)
  const { page } = seen
  await page.goto(`${service.url}/account?tab=sessions`)
  await page.waitForURL(/\/sign-in/)
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('E-mail or password is wrong').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/account\?tab=sessions/)
  await page.getByText('This device').waitFor()
})
