import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { PHONE } from './breakpoints.ts'

interface DialogProps {
  isOpen: boolean
  title: string
  size?: 'md' | 'lg'
  onClose: () => void
  /** Closing by accident would lose something that cannot be shown again. */
  isSticky?: boolean
  children: ReactNode
}

export function Dialog({ isOpen, title, size = 'md', onClose, isSticky, children }: DialogProps) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered={!isPhone}
      fullScreen={isPhone}
      closeOnEscape={!isSticky}
      closeOnClickOutside={!isSticky}
      withCloseButton={!isSticky}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      padding="lg"
      // Mantine's <header> would count as a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontSize: '1.2rem', fontWeight: 650 } }}
    >
      {children}
    </Modal>
  )
}
