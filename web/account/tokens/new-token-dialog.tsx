import { useState } from 'react'
import type { WireCreatedToken } from '../../../src/http/shapes/account.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { CreatedTokenSecrets } from './created-token.tsx'
import { NewTokenForm } from './new-token-form.tsx'
import { useReloadTokensOrSessions } from '../queries.ts'

/** Shows the form, then the new key and secret. Both exist only in this dialog's state until it closes. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<WireCreatedToken | null>(null)
  const refresh = useReloadTokensOrSessions('tokens')
  function show(answer: WireCreatedToken): void {
    setCreated(answer)
    void refresh()
  }
  return (
    <Dialog
      size="lg"
      title={created ? `Token “${created.token.name}” created` : 'New token'}
      isPersistent={created !== null}
      onClose={onClose}
    >
      {created ? (
        <CreatedTokenSecrets created={created} onDone={onClose} />
      ) : (
        <NewTokenForm onCreated={show} onCancel={onClose} />
      )}
    </Dialog>
  )
}
