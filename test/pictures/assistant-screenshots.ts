// Run by `npm run screenshots`: writes the screenshots that docs/assistants.md shows into docs/pictures. Checks nothing else.
import { test } from 'node:test'
import { findFreePort } from '../../faults/cluster/free-port.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { CA_FILE } from '../support/mail/mail-server.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startService } from '../support/service/start-service.ts'
import { openAssistantSite } from '../support/sign-in/assistant-site.ts'
import { saveDocumentPicture } from './document-picture.ts'

const TOOL = { name: 'ask', arguments: { question: 'What was said about the release?' } }

test('screenshots for docs/assistants.md', { timeout: 600_000 }, async () => {
  await using stack = new AsyncDisposableStack()
  const port = await findFreePort()
  const service = stack.use(
    await startService({
      HANSARD_HOST: 'localhost',
      HANSARD_PORT: String(port),
      HANSARD_PUBLIC_URL: `http://localhost:${port}`,
      HANSARD_CALLBACK_ALLOW: '127.0.0.1',
      HANSARD_CALLBACK_CA_FILE: CA_FILE,
    }),
  )
  const program = await openMeetingsClient(service)
  const title = { title: 'Stand-up' }
  await program.waitForStatus(await program.start('practice://standup?speed=1000', title))
  const assistant = stack.use(await openAssistantSite({ hasDocument: true, tool: TOOL }))
  const browser = await openSharedBrowser()
  const context = await browser.newContext({
    viewport: { width: 900, height: 760 },
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
  })
  stack.defer(() => context.close())
  const page = await context.newPage()
  const save = (name: string) => saveDocumentPicture(page, `assistant-${name}`)

  await page.goto(assistant.url)
  await page.getByLabel('Server address').fill(`${service.url}/mcp`)
  await save('address')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Connect Helper?' }).waitFor()
  await save('consent')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected. I asked:').waitFor()
  await save('answer')
  await page.goto(`${service.url}/account?tab=tokens`)
  await page.getByText(/^verified: /).scrollIntoViewIfNeeded()
  await save('connected')
})
