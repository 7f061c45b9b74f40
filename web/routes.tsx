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
import { HomePage } from './pages/home.tsx'
import { toMeetingTab, type MeetingTab } from './pages/meeting-tab.ts'
import { InvitePage } from './pages/invite.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SetupPage } from './pages/setup.tsx'
import { SignInPage } from './pages/sign-in.tsx'
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

const routeTree = root.addChildren([
  outside.addChildren([setup, invite, signIn]),
  inside.addChildren([home, meetings, meeting, deliveries, inbox, account]),
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
