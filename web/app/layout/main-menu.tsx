import { Link, useLocation } from '@tanstack/react-router'
import { useState, type RefObject } from 'react'
import { VisuallyHidden, UnstyledButton, Popover } from '@mantine/core'
import { BrandLogoAndName, ThemeSwitch } from './signed-out-layout.tsx'
import { PHONE_BAR_PAGES, isActivePage, useMenuPages } from './menu-pages.tsx'
import {
  BookIcon,
  SearchIcon,
  DotsIcon,
  KeyboardIcon,
  PersonIcon,
  SignOutIcon,
} from '../../ui/icons.tsx'
import { useApi, useAppState, useSignedInUser } from '../../api/use-api.tsx'
import { unfollowAllMeetings } from '../../meetings/meeting/live/followed-meetings.ts'
import { deleteAllDrafts } from '../../projects/document/drafts.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms.tsx'
import { Hint } from '../../ui/text.tsx'

interface MainMenuProps {
  onChosen: () => void
  onSearch: () => void
  onShowShortcuts: () => void
}

export function MainMenu({ onChosen, onSearch, onShowShortcuts }: MainMenuProps) {
  return (
    <>
      <Link to="/" aria-label="Hansard, home" className="brand-link sidebar-brand">
        <BrandLogoAndName />
      </Link>
      <UnstyledButton
        className="sidebar-search"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <SearchIcon />
        Search <VisuallyHidden>or jump to</VisuallyHidden>
        <kbd aria-hidden>{isMac() ? '⌘' : 'Ctrl'} K</kbd>
      </UnstyledButton>
      <MenuGroup group="daily" onChosen={onChosen} />
      <p className="sidebar-heading" id="menu-manage">
        Manage
      </p>
      <MenuGroup group="manage" onChosen={onChosen} labelledBy="menu-manage" />
      <UserPanel onChosen={onChosen} onShowShortcuts={onShowShortcuts} />
    </>
  )
}

interface MenuGroupProps {
  group: 'daily' | 'manage'
  onChosen: () => void
  labelledBy?: string
}

function MenuGroup({ group, onChosen, labelledBy }: MenuGroupProps) {
  const path = useLocation({ select: (location) => location.pathname })
  const pages = useMenuPages().filter((page) => page.group === group)
  return (
    <ul className="plain-list sidebar-list" aria-labelledby={labelledBy}>
      {pages.map(({ to, label, icon }) => (
        <li key={to}>
          <Link
            to={to}
            className="sidebar-link"
            data-active={isActivePage(to, path) || undefined}
            onClick={onChosen}
          >
            {icon}
            {label}
          </Link>
        </li>
      ))}
      {group === 'manage' && (
        <li>
          <a href="/docs" className="sidebar-link">
            <BookIcon />
            API reference
          </a>
        </li>
      )}
    </ul>
  )
}

function isMac(): boolean {
  return /mac/i.test(navigator.userAgent)
}

interface BottomBarProps {
  isMenuOpen: boolean
  moreButton: RefObject<HTMLButtonElement | null>
  onToggleMenu: () => void
}

/** The most used pages, within reach of a thumb. Only on phones. */
export function BottomBar({ isMenuOpen, moreButton, onToggleMenu }: BottomBarProps) {
  const path = useLocation({ select: (location) => location.pathname })
  const pages = useMenuPages().filter(({ to }) => PHONE_BAR_PAGES.has(to))
  return (
    <nav className="bottom-bar" aria-label="Main pages">
      {pages.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          className="bottom-bar-item"
          data-active={(!isMenuOpen && isActivePage(to, path)) || undefined}
        >
          {icon}
          {label}
        </Link>
      ))}
      <UnstyledButton
        ref={moreButton}
        className="bottom-bar-item"
        aria-expanded={isMenuOpen}
        aria-controls="menu"
        data-active={isMenuOpen || undefined}
        onClick={onToggleMenu}
      >
        <DotsIcon />
        More
      </UnstyledButton>
    </nav>
  )
}

interface UserPanelProps {
  onChosen: () => void
  onShowShortcuts: () => void
}

/** The signed-in user at the bottom of the side bar. A click opens the account, the theme and signing out. */
function UserPanel({ onChosen, onShowShortcuts }: UserPanelProps) {
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
      <Hint size="xs" px={10} py={6}>
        {email}
      </Hint>
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
      <ErrorBox error={signOut.error} />
      <div className="user-panel-foot">
        <ThemeSwitch />
        <Hint size="xs" mt={8}>
          Version {version}
        </Hint>
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
