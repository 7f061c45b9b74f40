import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { openBrowser, visit, type Visit } from '../support/browser.ts'
import type { Person } from '../support/person.ts'
import { startService } from '../support/service.ts'

const PUBLIC = ['/setup', '/sign-in', '/invite']
const PRIVATE = [
  '/',
  ...['profile', 'tokens', 'sessions', 'people'].map((tab) => `/account?tab=${tab}`),
]
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

async function signIn({ context }: Visit, person: Person): Promise<void> {
  const [name = '', value = ''] = person.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: person.url }])
}

async function settle({ page }: Visit, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page is free of accessibility faults in ${colorScheme}`, async () => {
    await using service = await startService()
    const ada = await service.admin()
    await ada.makeToken({ name: 'backend' })
    await ada.post('/web/invitations', { role: 'member' })
    await using guest = await visit(browser, service.url, { colorScheme })
    await using member = await visit(browser, service.url, { colorScheme })
    await signIn(member, ada)
    for (const [seen, paths] of [
      [guest, PUBLIC],
      [member, PRIVATE],
    ] as const) {
      for (const path of paths) {
        await settle(seen, `${service.url}${path}`)
        const { violations } = await new AxeBuilder({ page: seen.page }).analyze()
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`),
          [],
        )
        assert.equal(await seen.page.getByRole('heading', { level: 1 }).count(), 1, path)
      }
      assert.deepEqual(seen.outside, [])
      assert.deepEqual(seen.complaints, [])
    }
  })
}

test('every page fits a phone of 360 pixels', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await ada.makeToken({ name: 'a token with quite a long name for a small telephone' })
  await using seen = await visit(browser, service.url, { width: 360 })
  await signIn(seen, ada)
  for (const path of [...PRIVATE, ...PUBLIC]) {
    await settle(seen, `${service.url}${path}`)
    const width = await seen.page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 360, `${path} is ${width} pixels wide`)
  }
})

test('names are text, whatever they say', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await ada.put('/web/profile', { name: HOSTILE.slice(0, 100) })
  await ada.makeToken({ name: HOSTILE.slice(0, 100) })
  await using seen = await visit(browser, service.url)
  await signIn(seen, ada)
  await seen.context.setExtraHTTPHeaders({ 'user-agent': HOSTILE })
  for (const path of PRIVATE) {
    await settle(seen, `${service.url}${path}`)
    assert.equal(await seen.page.evaluate('window.__pwned'), undefined)
  }
  assert.deepEqual(seen.complaints, [])
})

test('the API reference works without asking another host', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visit(browser, service.url)
  await seen.page.goto(`${service.url}/docs`)
  await seen.page.waitForURL(/\/sign-in\?next=/)
  await signIn(seen, ada)
  await seen.page.goto(`${service.url}/docs`)
  await seen.page.getByRole('heading', { name: 'Meetings' }).first().waitFor()
  await seen.page.waitForLoadState('networkidle')
  assert.deepEqual(seen.outside, [])
  assert.deepEqual(seen.complaints, [])
})

test('a token can be made with the keyboard alone', async () => {
  await using service = await startService()
  const ada = await service.admin()
  await using seen = await visit(browser, service.url)
  await signIn(seen, ada)
  const { page } = seen
  await settle(seen, `${service.url}/account?tab=tokens`)
  for (let i = 0; i < 40; i += 1) {
    if (
      (await page.getByRole('button', { name: 'New token' }).and(page.locator(':focus')).count()) >
      0
    )
      break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByLabel('Token name').waitFor()
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  const key = page.getByLabel('API key', { exact: true })
  assert.match(await key.inputValue(), /^sk_/)
})
