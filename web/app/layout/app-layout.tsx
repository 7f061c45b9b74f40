import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { useShortcutDialogs } from '../shortcut-dialogs.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { BrandLogoAndName } from './brand.tsx'
import { ConnectionLostBanner } from './connection-lost-banner.tsx'
import { MainMenu } from './main-menu.tsx'
import { SkipLink } from './skip-link.tsx'

/** A side bar beside the page; on a phone a bar above it and one below it, whose "More" opens the side bar. */
export function AppLayout() {
  const [isOpen, menu] = useDisclosure(false)
  const { openSearch, openShortcuts, dialogs } = useShortcutDialogs()
  useFocusOnNewPage(menu.close)
  useCloseOnEscape(isOpen, menu.close)
  return (
    <div className="shell">
      <SkipLink />
      <header className="top-bar">
        <Link to="/" aria-label="Hansard, home" className="brand-link">
          <BrandLogoAndName />
        </Link>
        <UnstyledButton className="top-bar-search" aria-label="Search" onClick={openSearch}>
          <SearchIcon />
        </UnstyledButton>
      </header>
      {isOpen && <div className="sidebar-shade" aria-hidden onClick={menu.close} />}
      <nav id="menu" className="sidebar" aria-label="Main" data-open={isOpen || undefined}>
        <MainMenu onChosen={menu.close} onSearch={openSearch} onShowShortcuts={openShortcuts} />
      </nav>
      <main id="main" className="page" tabIndex={-1}>
        <ConnectionLostBanner />
        <Outlet />
      </main>
      <BottomBar isMenuOpen={isOpen} onToggleMenu={menu.toggle} />
      {dialogs}
    </div>
  )
}

/** Focuses the content after navigation, so that the keyboard starts at the top of the new page. */
function useFocusOnNewPage(closeMenu: () => void): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    closeMenu()
    document.getElementById('main')?.focus()
  }, [pathname, closeMenu])
}

function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isOpen, close])
}
