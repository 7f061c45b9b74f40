import { Button } from '@mantine/core'

interface RowButtonProps {
  label: string
  /** Starts with the label and says which row is meant. */
  name: string
  onClick: () => void
}

export function RowButton({ label, name, onClick }: RowButtonProps) {
  return (
    <Button variant="default" size="xs" aria-label={name} onClick={onClick}>
      {label}
    </Button>
  )
}
