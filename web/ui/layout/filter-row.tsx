import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useState, type ReactNode } from 'react'
import { PHONE_MEDIA_QUERY } from '../breakpoints.ts'
import { ChevronDownIcon, ChevronUpIcon } from '../icons.tsx'

interface FilterRowProps {
  /** The list's filter. The number of its set values is shown. */
  filter: object
  children: ReactNode
}

/** Fields that filter a list. On phones they are behind a button, so that the list is on the screen. */
export function FilterRow({ filter, children }: FilterRowProps) {
  const isPhone = useMediaQuery(PHONE_MEDIA_QUERY, false, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const count = Object.values(filter).filter(Boolean).length
  return (
    <div role="group" aria-label="Filters">
      {isPhone && (
        <Button
          variant="default"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          rightSection={isOpen ? <ChevronUpIcon /> : <ChevronDownIcon />}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? 'Filters' : `Filters (${count} set)`}
        </Button>
      )}
      <div className="filter-row" id={id} hidden={isPhone && !isOpen}>
        {children}
      </div>
    </div>
  )
}
