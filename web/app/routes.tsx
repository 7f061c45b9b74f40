import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { parseSafeNextPath, SignInPage } from '../account/sign-in/sign-in-page.tsx'
import { ACCOUNT_PROBLEMS, SIGN_IN_PROBLEMS } from '../../src/http/shapes/values.ts'
import {
  ACCOUNT_TABS,
  MEETING_TABS,
  parseChoice,
  parsePageNumberAboveOne,
  PROJECT_PAGE_VIEWS,
  SYSTEM_TABS,
} from '../api/url-parameters.ts'
import { parseActionFilter } from '../actions/action-filter.ts'
import { parseAskFilter } from '../ask/ask-filter.ts'
import { CrashPage, NotFoundPage, Root, RequireSignIn } from './root.tsx'
import { parseDecisionFilter } from '../decisions/decision-filter.ts'
import type { DeliverySearchParams } from '../deliveries/delivery-filter.ts'
import type { MeetingListFilter } from '../meetings/queries.ts'
import { parseSearchFilter } from '../search/search-filter.ts'
import { HomePage } from '../home/home-page.tsx'
import { InvitePage, ResetPage, SetupPage } from '../account/sign-in/one-time-link-pages.tsx'
import { UPCOMING_VIEWS } from '../upcoming/upcoming-labels.ts'
import { SignedOutLayout } from './layout/signed-out-layout.tsx'

/**
 * Unvalidated URL parameters. A validator must set an invalid field to undefined. If it omits the field, the router
 * keeps the unvalidated value.
 */
type SearchParams = Record<string, unknown>

/** Lets links leave out any parameter. */
function optional<Params>(parse: (search: SearchParams) => Params) {
  return parse as (search: SearchParams) => Partial<Params>
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const signedOut = createRoute({
  getParentRoute: () => root,
  id: 'signed-out',
  component: SignedOutLayout,
})
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: RequireSignIn,
})

const setup = createRoute({ getParentRoute: () => signedOut, path: '/setup', component: SetupPage })
const invite = createRoute({
  getParentRoute: () => signedOut,
  path: '/invite',
  component: InvitePage,
})
const reset = createRoute({ getParentRoute: () => signedOut, path: '/reset', component: ResetPage })
const signIn = createRoute({
  getParentRoute: () => signedOut,
  path: '/sign-in',
  validateSearch: optional((search) => ({
    next: parseSafeNextPath(search.next),
    problem: parseChoice(SIGN_IN_PROBLEMS, search.problem),
  })),
  component: SignInPage,
})

const connect = createRoute({
  getParentRoute: () => signedOut,
  path: '/connect',
  validateSearch: optional((search) => ({ request: asText(search.request, 8_192) })),
  component: lazyRouteComponent(
    () => import('../account/assistants/connect-page.tsx'),
    'ConnectPage',
  ),
})

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: HomePage })
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: optional((search) => ({
    tab: parseChoice(ACCOUNT_TABS, search.tab),
    problem: parseChoice(SIGN_IN_PROBLEMS, search.problem),
    connected: asText(search.connected, 100),
    calendarProblem: parseChoice(ACCOUNT_PROBLEMS, search.calendarProblem),
  })),
  component: lazyRouteComponent(() => import('../account/account-page.tsx'), 'AccountPage'),
})

const meetings = createRoute({
  getParentRoute: () => signedIn,
  path: '/meetings',
  validateSearch: (search: SearchParams): MeetingListFilter => ({
    q: asText(search.q),
    status: asText(search.status),
    platform: asText(search.platform),
  }),
  component: lazyRouteComponent(() => import('../meetings/meetings-page.tsx'), 'MeetingsPage'),
})
const meeting = createRoute({
  getParentRoute: () => signedIn,
  path: '/meetings/$meetingId',
  validateSearch: optional((search) => ({ tab: parseChoice(MEETING_TABS, search.tab) })),
  component: lazyRouteComponent(
    () => import('../meetings/meeting/meeting-page.tsx'),
    'MeetingPage',
  ),
})
const upcoming = createRoute({
  getParentRoute: () => signedIn,
  path: '/upcoming',
  validateSearch: optional((search) => ({ show: parseChoice(UPCOMING_VIEWS, search.show) })),
  component: lazyRouteComponent(() => import('../upcoming/upcoming-page.tsx'), 'UpcomingPage'),
})
const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  validateSearch: optional((search) => ({
    q: asText(search.q),
    page: parsePageNumberAboveOne(search.page),
  })),
  component: lazyRouteComponent(() => import('../tasks/tasks-page.tsx'), 'TasksPage'),
})
const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$name',
  validateSearch: optional((search) => ({ page: parsePageNumberAboveOne(search.page) })),
  component: lazyRouteComponent(() => import('../tasks/task/task-page.tsx'), 'TaskPage'),
})
const prompts = createRoute({
  getParentRoute: () => signedIn,
  path: '/prompts',
  component: lazyRouteComponent(() => import('../prompts/prompts-page.tsx'), 'PromptsPage'),
})
/** The name of a prompt can contain slashes. */
const prompt = createRoute({
  getParentRoute: () => signedIn,
  path: '/prompts/$',
  component: lazyRouteComponent(() => import('../prompts/editor/prompt-page.tsx'), 'PromptPage'),
})
/** Not below /prompts, where any word can be the name of a prompt. */
const newPrompt = createRoute({
  getParentRoute: () => signedIn,
  path: '/new-prompt',
  validateSearch: optional((search) => ({ from: asText(search.from) })),
  component: lazyRouteComponent(
    () => import('../prompts/editor/new-prompt-page.tsx'),
    'NewPromptPage',
  ),
})
const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/runs/$executionId',
  component: lazyRouteComponent(() => import('../tasks/run/run-page.tsx'), 'RunPage'),
})
const actions = createRoute({
  getParentRoute: () => signedIn,
  path: '/actions',
  validateSearch: parseActionFilter,
  component: lazyRouteComponent(() => import('../actions/actions-page.tsx'), 'ActionsPage'),
})
const decisions = createRoute({
  getParentRoute: () => signedIn,
  path: '/decisions',
  validateSearch: parseDecisionFilter,
  component: lazyRouteComponent(() => import('../decisions/decisions-page.tsx'), 'DecisionsPage'),
})
const deliveries = createRoute({
  getParentRoute: () => signedIn,
  path: '/deliveries',
  validateSearch: (search: SearchParams): DeliverySearchParams => ({
    meeting: asText(search.meeting),
    receiver: asText(search.receiver, 2_048),
    outcome: asText(search.outcome),
    type: asText(search.type),
    last: asText(search.last),
  }),
  component: lazyRouteComponent(
    () => import('../deliveries/deliveries-page.tsx'),
    'DeliveriesPage',
  ),
})
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/deliveries/inbox',
  component: lazyRouteComponent(() => import('../deliveries/inbox-page.tsx'), 'InboxPage'),
})

const toProjectSearchParams = optional((search) => ({
  view: parseChoice(PROJECT_PAGE_VIEWS, search.view),
}))

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  validateSearch: toProjectSearchParams,
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
})
/** The page of a project or, if a path follows the project id, of one of its documents. */
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/$',
  validateSearch: toProjectSearchParams,
  component: lazyRouteComponent(() => import('../projects/project-page.tsx'), 'ProjectPage'),
})
const search = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: parseSearchFilter,
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
})
const ask = createRoute({
  getParentRoute: () => signedIn,
  path: '/ask',
  validateSearch: parseAskFilter,
  component: lazyRouteComponent(() => import('../ask/ask-page.tsx'), 'AskPage'),
})
const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/system',
  validateSearch: optional((search) => ({ tab: parseChoice(SYSTEM_TABS, search.tab) })),
  component: lazyRouteComponent(() => import('../system/system-page.tsx'), 'SystemPage'),
})

const routeTree = root.addChildren([
  signedOut.addChildren([setup, invite, reset, signIn, connect]),
  signedIn.addChildren([
    home,
    meetings,
    meeting,
    upcoming,
    actions,
    decisions,
    tasks,
    task,
    prompts,
    prompt,
    newPrompt,
    run,
    projects,
    project,
    search,
    ask,
    deliveries,
    inbox,
    account,
    system,
  ]),
])

/** Reads a URL parameter as text. The API rejects unknown values. */
function asText(value: unknown, maxLength = 200): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined
}

export function createConsoleRouter() {
  return createRouter({ routeTree, defaultErrorComponent: CrashPage })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
