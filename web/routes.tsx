import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { safeNextPath } from './next-path.ts'
import { toAccountTab, type AccountTab } from './pages/account-tab.ts'
import { CrashPage } from './pages/crash.tsx'
import type { DeliverySearch } from './deliveries/search.ts'
import type { HistoryFilter } from './meetings/queries.ts'
import { toSearchFilter } from './search/filter.ts'
import { HomePage } from './pages/home.tsx'
import { toMeetingTab, type MeetingTab } from './pages/meeting-tab.ts'
import { toProjectView, type ProjectView } from './pages/project-view.ts'
import { InvitePage } from './pages/invite.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SetupPage } from './pages/setup.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { toSystemTab, type SystemTab } from './pages/system-tab.ts'
import { toPage } from './ui/to-page.ts'
import { Root } from './root.tsx'
import { Frame } from './ui/frame.tsx'
import { SignedIn } from './ui/signed-in.tsx'

/**
 * What stands in the address bar. A field that is not wanted must be set to undefined: one that is left out keeps
 * its unchecked value.
 */
type Search = Record<string, unknown>

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const outside = createRoute({ getParentRoute: () => root, id: 'outside', component: Frame })
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: SignedIn })

const setup = createRoute({ getParentRoute: () => outside, path: '/setup', component: SetupPage })
const invite = createRoute({
  getParentRoute: () => outside,
  path: '/invite',
  component: InvitePage,
})
const signIn = createRoute({
  getParentRoute: () => outside,
  path: '/sign-in',
  validateSearch: (search: Search): { next?: string | undefined } => ({
    next: safeNextPath(search.next),
  }),
  component: SignInPage,
})

const home = createRoute({ getParentRoute: () => inside, path: '/', component: HomePage })
const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  validateSearch: (search: Search): { tab?: AccountTab | undefined } => ({
    tab: toAccountTab(search.tab),
  }),
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
})

const meetings = createRoute({
  getParentRoute: () => inside,
  path: '/meetings',
  validateSearch: (search: Search): HistoryFilter => ({
    q: asText(search.q),
    status: asText(search.status),
    platform: asText(search.platform),
  }),
  component: lazyRouteComponent(() => import('./pages/meetings.tsx'), 'MeetingsPage'),
})
const meeting = createRoute({
  getParentRoute: () => inside,
  path: '/meetings/$meetingId',
  validateSearch: (search: Search): { tab?: MeetingTab | undefined } => ({
    tab: toMeetingTab(search.tab),
  }),
  component: lazyRouteComponent(() => import('./pages/meeting.tsx'), 'MeetingPage'),
})
const tasks = createRoute({
  getParentRoute: () => inside,
  path: '/tasks',
  validateSearch: (search: Search): { q?: string | undefined; page?: number | undefined } => ({
    q: asText(search.q),
    page: toPage(search.page),
  }),
  component: lazyRouteComponent(() => import('./pages/tasks.tsx'), 'TasksPage'),
})
const task = createRoute({
  getParentRoute: () => inside,
  path: '/tasks/$name',
  validateSearch: (search: Search): { page?: number | undefined } => ({
    page: toPage(search.page),
  }),
  component: lazyRouteComponent(() => import('./pages/task.tsx'), 'TaskPage'),
})
const run = createRoute({
  getParentRoute: () => inside,
  path: '/runs/$executionId',
  component: lazyRouteComponent(() => import('./pages/run.tsx'), 'RunPage'),
})
const deliveries = createRoute({
  getParentRoute: () => inside,
  path: '/deliveries',
  validateSearch: (search: Search): DeliverySearch => ({
    meeting: asText(search.meeting),
    outcome: asText(search.outcome),
    type: asText(search.type),
    last: asText(search.last),
  }),
  component: lazyRouteComponent(() => import('./pages/deliveries.tsx'), 'DeliveriesPage'),
})
const inbox = createRoute({
  getParentRoute: () => inside,
  path: '/deliveries/inbox',
  component: lazyRouteComponent(() => import('./pages/inbox.tsx'), 'InboxPage'),
})

type Viewed = { view?: ProjectView | undefined }
const toView = (search: Search): Viewed => ({ view: toProjectView(search.view) })

const projects = createRoute({
  getParentRoute: () => inside,
  path: '/projects',
  validateSearch: toView,
  component: lazyRouteComponent(() => import('./pages/projects.tsx'), 'ProjectsPage'),
})
/** With an empty path it is the project itself. */
const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/$',
  validateSearch: toView,
  component: lazyRouteComponent(() => import('./pages/project.tsx'), 'ProjectPage'),
})
const search = createRoute({
  getParentRoute: () => inside,
  path: '/search',
  validateSearch: toSearchFilter,
  component: lazyRouteComponent(() => import('./pages/search.tsx'), 'SearchPage'),
})
const system = createRoute({
  getParentRoute: () => inside,
  path: '/system',
  validateSearch: (search: Search): { tab?: SystemTab | undefined } => ({
    tab: toSystemTab(search.tab),
  }),
  component: lazyRouteComponent(() => import('./pages/system.tsx'), 'SystemPage'),
})

const routeTree = root.addChildren([
  outside.addChildren([setup, invite, signIn]),
  inside.addChildren([
    home,
    meetings,
    meeting,
    tasks,
    task,
    run,
    projects,
    project,
    search,
    deliveries,
    inbox,
    account,
    system,
  ]),
])

/** What stands in the address is read as text; the service refuses what it does not know. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined
}

export function createConsoleRouter() {
  return createRouter({ routeTree, defaultErrorComponent: CrashPage })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
