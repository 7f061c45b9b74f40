import { Popover, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi, useAppState, useSignedInUser } from '../../api/app-state.tsx'
import { unfollowAllMeetings } from '../../meetings/meeting/live/followed-meetings.ts'
import { deleteAllDrafts } from '../../projects/document/drafts.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms/form.tsx'
import { KeyboardIcon, PersonIcon, SignOutIcon } from '../../ui/icons.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface UserPanelProps {
  onChosen: () => void
  onShowShortcuts: () => void
}

/** The signed-in user at the bottom of the side bar. A click opens the account, the theme and signing out. */
export function UserPanel({ onChosen, onShowShortcuts }: UserPanelProps) {
  const user = useSignedInUser()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="top-start"
      width={232}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <UnstyledButton className="sidebar-user" onClick={() => setOpen((opened) => !opened)}>
          <span className="initial" aria-hidden>
            {firstLetter(user.name)}
          </span>
          <span className="sidebar-user-name">
            <VisuallyHidden>Signed in as </VisuallyHidden>
            {user.name}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Your account" p={6}>
        <UserActions
          onChosen={() => {
            setOpen(false)
            onChosen()
          }}
          onShowShortcuts={() => {
            setOpen(false)
            onShowShortcuts()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function UserActions({ onChosen, onShowShortcuts }: UserPanelProps) {
  const { version } = useAppState()
  const { email } = useSignedInUser()
  const signOut = useSignOut()
  return (
    <>
      <Text size="xs" c="dimmed" px={10} py={6} className="break-anywhere">
        {email}
      </Text>
      <Link to="/account" className="sidebar-link" onClick={onChosen}>
        <PersonIcon />
        Account
      </Link>
      <UnstyledButton className="sidebar-link" onClick={onShowShortcuts}>
        <KeyboardIcon />
        Keyboard shortcuts
      </UnstyledButton>
      <UnstyledButton
        className="sidebar-link"
        disabled={signOut.isRunning}
        onClick={() => void signOut.run()}
      >
        <SignOutIcon />
        Sign out
      </UnstyledButton>
      {signOut.error ? <ErrorBox error={signOut.error} /> : null}
      <div className="user-panel-foot">
        <ThemeSwitch />
        <Text size="xs" c="dimmed" mt={8}>
          Version {version}
        </Text>
      </div>
    </>
  )
}

function firstLetter(name: string): string {
  return String.fromCodePoint(name.trim().codePointAt(0) ?? 0x3f).toLocaleUpperCase()
}

/** Reloads the page after signing out, so that nothing stays in memory for the next user. */
function useSignOut() {
  const api = useApi()
  return useAction(async () => {
    const { providerUrl } = await api.signIn.end()
    deleteAllDrafts()
    unfollowAllMeetings()
    // The provider also ends its own session and sends the browser back to the sign-in page.
    window.location.assign(providerUrl ?? '/sign-in')
  })
}
