import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { safeNextPath } from './next-path.ts'
import { AccountPage, toAccountTab, type AccountTab } from './pages/account.tsx'
import { CrashPage } from './pages/crash.tsx'
import { HomePage } from './pages/home.tsx'
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
  component: AccountPage,
})

const routeTree = root.addChildren([
  outside.addChildren([setup, invite, signIn]),
  inside.addChildren([home, account]),
])

export function createConsoleRouter() {
  return createRouter({ routeTree, defaultErrorComponent: CrashPage })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
