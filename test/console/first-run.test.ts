import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openPageAndSettle, signInAs } from '../support/browser/console-pages.ts'
import { pressOn, typeInto } from '../support/browser/keyboard.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'
import { createHeldPractice } from './held-practice.ts'

const opened = openForFile(async () => {
  const practice = createHeldPractice()
  const service = await startService({ HANSARD_RECAP: 'on' }, { platforms: [practice.platform] })
  const ada = service.anonymousClient()
  return { service, practice, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})
const consoleWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), opened().service.url),
)

test('by keyboard, the setup link leads to a practice meeting, its recap, and a token that is revoked', async () => {
  const { service, practice } = opened()
  const { page } = consoleWindow()
  await page.goto(service.setupLink ?? '')
  await page.locator('input[name=name]:focus').waitFor()
  await page.reload()
  await typeInto(page.getByLabel('Name'), ADMIN.name)
  await typeInto(page.getByLabel('Email'), ADMIN.email)
  await typeInto(page.getByLabel('Password', { exact: true }), ADMIN.password)
  await page.keyboard.press('Enter')

  await page.waitForURL(`${service.url}/`)
  assert.doesNotMatch(page.url(), /#/)
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await pressOn(page.getByRole('button', { name: 'Start a practice meeting' }))
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.locator('[aria-current=step]').getByText('Waiting for the host').waitFor()
  practice.playUntil(15)
  const firstLine = page.locator('#line-1 .line-text')
  const spoken = (await firstLine.textContent()) ?? ''
  await pressOn(page.getByRole('button', { name: 'Stop' }))
  const question = page.getByRole('dialog', { name: 'Stop “Practice stand-up”?' })
  await pressOn(question.getByRole('button', { name: 'Stop and leave' }))
  await page.getByText('Ended', { exact: true }).waitFor()
  await pressOn(page.getByRole('link', { name: 'Home', exact: true }))
  const step = (title: string) => page.getByRole('listitem').filter({ hasText: title })
  await step('Watch a practice meeting').getByText('done').waitFor()
  await pressOn(step('Read its recap').getByRole('link', { name: 'Open the recap' }))
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByText('Made by rules').waitFor()
  await page.goto(`${page.url()}?tab=document`)
  await page.locator('.markdown').getByText(spoken.slice(0, 20)).first().waitFor()

  await pressOn(page.getByRole('link', { name: 'Home', exact: true }))
  await step('Read its recap').getByText('done').waitFor()
  await pressOn(page.getByRole('link', { name: 'Go to API tokens' }))
  await pressOn(page.getByRole('button', { name: 'New token' }).first())
  await typeInto(page.getByLabel('Token name'), 'backend')
  await page.keyboard.press('Enter')
  const apiKey = await page.getByLabel('API key', { exact: true }).inputValue()
  const signingSecret = await page.getByLabel('Signing secret', { exact: true }).inputValue()
  assert.match(apiKey, /^sk_[0-9A-Za-z]{38}$/)
  assert.match(signingSecret, /^ss_[0-9A-Za-z]{43}$/)
  const curl = await page.getByLabel('Try it').inputValue()
  const done = page.getByRole('button', { name: 'Done' })
  assert.equal(await done.isDisabled(), true)
  await pressOn(page.getByLabel('I have stored both'), 'Space')
  await pressOn(done)
  assert.doesNotMatch(await page.content(), new RegExp(`${apiKey}|${signingSecret}`))

  assert.equal(await sendAsCurl(curl), 200)
  await pressOn(page.getByRole('button', { name: 'Revoke backend' }))
  await pressOn(page.getByRole('button', { name: 'Revoke token' }))
  await page.getByRole('button', { name: 'Revoke backend' }).waitFor({ state: 'detached' })
  assert.equal(await sendAsCurl(curl), 401)
  assert.deepEqual(consoleWindow().blockedRequests, [])
  assert.deepEqual(consoleWindow().pageErrors, [])
})

/** The HTTP status of the request that the page's curl command sends. */
async function sendAsCurl(command: string): Promise<number> {
  const [, key, url] = /^curl -H "X-API-Key: (sk_\w+)" (http:\/\/[\w.:/]+)$/.exec(command) ?? []
  assert.ok(key !== undefined && url !== undefined, command)
  return (await fetch(url, { headers: { 'X-API-Key': key } })).status
}

test('the new API key and signing secret can be copied', async () => {
  const { service, ada } = opened()
  const { page, context } = consoleWindow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  // The first test has created this account.
  await ada.post('/web/sign-in', ADMIN)
  await signInAs(consoleWindow(), ada)
  await openPageAndSettle(page, `${service.url}/account?tab=tokens`)
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

test('an invited person creates an account', async () => {
  const { service, ada } = opened()
  const { body } = await ada.post('/web/invitations', { role: 'member' })
  const { page, context } = consoleWindow()
  await context.clearCookies()
  await page.goto(body['link'] as string)
  await page.locator('input[name=name]:focus').waitFor()
  await page.reload()
  await page.getByLabel('Name').fill('Bob')
  await page.getByLabel('Email').fill('bob@example.com')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  const [hint, problem] = [page.getByText(/^Must have at least 8/), page.getByText('Password must')]
  await problem.waitFor()
  assert.match((await hint.textContent()) ?? '', /^Must have at least 8 characters\./)
  assert.equal(await problem.textContent(), 'Password must have at least 8 characters')
  // The field explains everything, so there is no box with a code.
  assert.equal(await page.getByRole('alert').count(), 0)
  await page.getByLabel('Password', { exact: true }).fill('bobs own secret')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${service.url}/`)
  const { body: people } = await ada.get('/web/people')
  assert.equal((people['users'] as unknown[]).length, 2)
})

test('a wrong password shows an error in the sign-in form, and the right one opens the requested page', async () => {
  const { service } = opened()
  const { page, context } = consoleWindow()
  await context.clearCookies()
  await page.goto(`${service.url}/account?tab=sessions`)
  await page.waitForURL(/\/sign-in/)
  await page.locator('input[name=email]:focus').waitFor()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The email address or password is wrong').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/account\?tab=sessions/)
  await page.getByText('This device').waitFor()
})
