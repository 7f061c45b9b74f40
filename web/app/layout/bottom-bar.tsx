import { UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { DotsIcon } from '../../ui/icons.tsx'
import { isActivePage, useMenuPages } from './menu-pages.tsx'

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
