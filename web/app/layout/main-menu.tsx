import { AppShell, NavLink, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import type { WireSignOut } from '../../../src/http/shapes/sign-in-methods.ts'
import { useApi, useAppState, useSignedInUser } from '../../api/app-state.tsx'
import { deleteAllDrafts } from '../../projects/document/drafts.ts'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'
import { BookIcon, SignOutIcon } from '../../ui/icons.tsx'
import { MenuLink } from '../../ui/links.tsx'
import { useMenuPages } from './menu-pages.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

export function MainMenu({ onChosen }: { onChosen: () => void }) {
  const pages = useMenuPages()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <>
      <AppShell.Section grow component="div">
        {pages.map(({ to, label, icon }) => (
          <MenuLink
            key={to}
            to={to}
            label={label}
            leftSection={icon}
            active={isActivePage(to, path)}
            onClick={onChosen}
          />
        ))}
        <NavLink href="/docs" label="API reference" leftSection={<BookIcon />} />
      </AppShell.Section>
      <MenuFooter />
    </>
  )
}

/** Whether the menu highlights the page `to`. The pages of task runs (`/runs/`) highlight "Tasks". */
function isActivePage(to: string, path: string): boolean {
  if (to === '/') return path === '/'
  return path.startsWith(to) || (to === '/tasks' && path.startsWith('/runs/'))
}

function MenuFooter() {
  const { version } = useAppState()
  const user = useSignedInUser()
  const signOut = useSignOut()
  return (
    <AppShell.Section component="div">
      <Stack gap="sm">
        {signOut.error ? <ErrorBox error={signOut.error} /> : null}
        <Text size="sm" c="dimmed" className="break-anywhere">
          Signed in as {user.name}
        </Text>
        <NavLink
          component="button"
          label="Sign out"
          leftSection={<SignOutIcon />}
          disabled={signOut.isRunning}
          onClick={() => void signOut.run()}
        />
        <ThemeSwitch />
        <Text size="xs" c="dimmed">
          Version {version}
        </Text>
      </Stack>
    </AppShell.Section>
  )
}

/** Reloads the page after signing out, so that nothing stays in memory for the next user. */
function useSignOut() {
  const api = useApi()
  return useAction(async () => {
    const { providerUrl } = await api.post<WireSignOut>('/web/sign-out')
    deleteAllDrafts()
    // The provider ends its own session too and sends the browser back to the sign-in page.
    window.location.assign(providerUrl ?? '/sign-in')
  })
}
