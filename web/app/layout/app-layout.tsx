import { AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ConnectionLostBanner } from './connection-lost-banner.tsx'
import { BrandLogoAndName } from './brand.tsx'
import { MainMenu } from './main-menu.tsx'
import { ShortcutButtonsAndDialogs } from '../shortcut-buttons-and-dialogs.tsx'
import { SkipLink } from './skip-link.tsx'

export function AppLayout() {
  const [isOpen, menu] = useDisclosure(false)
  useFocusOnNewPage(menu.close)
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={120}
    >
      <SkipLink />
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="menu"
          />
          <Link to="/" aria-label="Hansard, home" className="brand-link">
            <BrandLogoAndName />
          </Link>
          <ShortcutButtonsAndDialogs />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id="menu" p="md" aria-label="Main">
        <MainMenu onChosen={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <ConnectionLostBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
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
