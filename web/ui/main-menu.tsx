import { AppShell, NavLink, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useApi, useAppState, useUser } from '../app-state.tsx'
import { dropAllDrafts } from '../projects/drafts.ts'
import { ErrorBox } from './error-box.tsx'
import { BookIcon, LeaveIcon } from './icons.tsx'
import { MenuLink } from './links.tsx'
import { usePages } from './menu-pages.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { useAction } from './use-action.ts'

export function MainMenu({ onChosen }: { onChosen: () => void }) {
  const pages = usePages()
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
            active={isPageOf(to, path)}
            onClick={onChosen}
          />
        ))}
        <NavLink href="/docs" label="API reference" leftSection={<BookIcon />} />
      </AppShell.Section>
      <MenuFoot />
    </>
  )
}

/** A run belongs to its task. */
function isPageOf(to: string, path: string): boolean {
  if (to === '/') return path === '/'
  return path.startsWith(to) || (to === '/tasks' && path.startsWith('/runs/'))
}

function MenuFoot() {
  const { version } = useAppState()
  const user = useUser()
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
          leftSection={<LeaveIcon />}
          disabled={signOut.isRunning}
          onClick={() => void signOut.run()}
        />
        <ThemeChoice />
        <Text size="xs" c="dimmed">
          Version {version}
        </Text>
      </Stack>
    </AppShell.Section>
  )
}

/** A full load afterwards: nothing that one person has read stays in memory for the next one. */
function useSignOut() {
  const api = useApi()
  return useAction(async () => {
    await api.post('/web/sign-out')
    dropAllDrafts()
    window.location.assign('/sign-in')
  })
}
