import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { BrandLogoAndName } from './brand.tsx'
import { isActivePage, useMenuPages } from './menu-pages.tsx'
import { UserPanel } from './user-panel.tsx'
import { BookIcon, SearchIcon, DotsIcon } from '../../ui/icons.tsx'

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
  const pages = useMenuPages().filter(({ isOnPhoneBar }) => isOnPhoneBar)
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
