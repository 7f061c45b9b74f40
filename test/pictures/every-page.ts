// Run by `npm run pictures`: writes a picture of every page into dist/pictures, for people to look at. Checks nothing else.
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openConsoleAs } from '../support/browser/console-pages.ts'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { startService } from '../support/service/start-service.ts'
import { openExampleService, type Examples } from './example-service.ts'
import { takePictures, type Pictures } from './take-pictures.ts'

/** An upper limit against hanging. */
const timeout = 1_800_000

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

const tabPictures = (page: string, tabs: readonly string[]): Record<string, string> =>
  Object.fromEntries(tabs.map((tab) => [`${page}-${tab}`, `/${page}?tab=${tab}`]))

/** A page with the dialog that a button opens. */
const withDialog = (path: string, button: string | RegExp) => ({
  path,
  async prepare(page: Page) {
    await page.getByRole('button', { name: button }).first().press('Enter')
    await page.getByRole('dialog').locator(':focus').first().waitFor()
  },
})

const listPages = ({ finished, delivered, live, joining, failed, ...others }: Examples) =>
  ({
    home: '/',
    meetings: '/meetings',
    'meeting-live': `/meetings/${live}`,
    'meeting-joining': `/meetings/${joining}`,
    'meeting-finished': `/meetings/${finished}`,
    'meeting-failed': `/meetings/${failed}`,
    'meeting-scheduled': `/meetings/${others.scheduled}`,
    'meeting-tab-insights': `/meetings/${finished}?tab=insights`,
    ...Object.fromEntries(
      ['people', 'document', 'details', 'callbacks', 'events'].map((tab) => [
        `meeting-tab-${tab}`,
        `/meetings/${delivered}?tab=${tab}`,
      ]),
    ),
    'share-dialog': withDialog(`/meetings/${finished}`, 'Share'),
    'stop-dialog': withDialog(`/meetings/${live}`, 'Stop'),
    'bot-account-dialog': withDialog(`/meetings/${failed}`, 'Use a bot account'),
    upcoming: '/upcoming',
    actions: '/actions',
    'actions-mine': '/actions?mine=true',
    'actions-grouped': '/actions?group=person',
    decisions: '/decisions',
    ask: '/ask?q=What%20did%20we%20decide%20about%20the%20search%20page%3F',
    search: '/search?q=search',
    'search-nothing': '/search?q=unicorn',
    projects: '/projects',
    project: '/projects/product',
    document: '/projects/product/plan.md',
    'document-editor': '/projects/product/plan.md?view=edit',
    'document-new': '/projects/product?view=new',
    tasks: '/tasks',
    task: '/tasks/daily-digest',
    'task-dialog': withDialog('/tasks', /^New task/),
    run: `/runs/${others.run}`,
    'run-failed': `/runs/${others.failedRun}`,
    prompts: '/prompts',
    prompt: '/prompts/daily-digest',
    'prompt-new': '/new-prompt',
    deliveries: '/deliveries',
    'delivery-dialog': withDialog('/deliveries', /^Open /),
    inbox: '/deliveries/inbox',
    ...tabPictures('account', [
      'profile',
      'sign-in',
      'calendars',
      'notifications',
      'tokens',
      'sessions',
    ]),
    'token-dialog': withDialog('/account?tab=tokens', 'New token'),
    ...tabPictures('system', [
      'overview',
      'people',
      'provisioning',
      'projects',
      'bot-accounts',
      'connections',
      'models',
      'mail',
      'audit',
    ]),
    'missing-page': '/nothing/here',
    'missing-meeting': '/meetings/meeting_unknown',
  }) satisfies Pictures

const EMPTY_PAGES: Pictures = Object.fromEntries(
  [
    '',
    'meetings',
    'upcoming',
    'actions',
    'decisions',
    'ask',
    'search',
    'projects',
    'tasks',
    'prompts',
    'deliveries',
    'deliveries/inbox',
  ].map((path) => [`empty-${path.replace('/', '-') || 'home'}`, `/${path}`]),
)

test('pictures of the pages of a team, and of what its guests see', { timeout }, async () => {
  await using opened = await openExampleService()
  const { service, ada, examples } = opened
  await using window = await openConsoleAs(browser, ada)
  await takePictures(window.page, service.url, listPages(examples))
  await using guest = await openIsolatedWindow(browser, service.url)
  await takePictures(guest.page, service.url, {
    'shared-meeting': examples.shareUrl,
    'shared-nothing': '/s/unknown',
    invite: examples.inviteUrl,
    'sign-in': '/sign-in',
    reset: '/reset',
  })
})

test('pictures of a new instance', { timeout }, async () => {
  await using service = await startService()
  await using guest = await openIsolatedWindow(browser, service.url)
  await takePictures(guest.page, service.url, {
    'setup-without-code': '/setup',
    setup: service.setupLink ?? '',
  })
  await using window = await openConsoleAs(browser, await service.adminClient())
  await takePictures(window.page, service.url, EMPTY_PAGES)
})
