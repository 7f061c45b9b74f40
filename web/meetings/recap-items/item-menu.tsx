import './recap-items.css'
import { ActionIcon, Menu } from '@mantine/core'
import { DotsIcon } from '../../ui/icons.tsx'

interface ItemMenuProps {
  text: string
  hasAutofocus: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The menu of an entry of a recap. */
export function ItemMenu({ text, hasAutofocus, onEdit, onDelete }: ItemMenuProps) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={`Edit or delete “${shortenText(text)}”`}
          autoFocus={hasAutofocus}
        >
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>Edit</Menu.Item>
        <Menu.Item onClick={onDelete}>Delete</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const MAX_NAME_LENGTH = 60

/** The beginning of a text, to name it in a label. */
export function shortenText(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text
}
