import { useState } from 'react'
import type { WireCreatedToken } from '../../../src/http/shapes/account.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { CreatedTokenSecrets } from './created-token.tsx'
import { NewTokenForm } from './new-token-form.tsx'
import { useRefreshAccount } from '../queries.ts'

/** Two steps in one dialog: the form, then the two values. They live here only, and go when it closes. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<WireCreatedToken | null>(null)
  const refresh = useRefreshAccount('tokens')
  function show(answer: WireCreatedToken): void {
    setCreated(answer)
    void refresh()
  }
  return (
    <Dialog
      size="lg"
      title={created ? `Token “${created.token.name}” is made` : 'New token'}
      isSticky={created !== null}
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
