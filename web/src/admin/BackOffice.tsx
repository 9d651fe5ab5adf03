import { AdminGate } from './AdminGate.tsx'
import { AdminShell } from './AdminShell.tsx'

/** The back office, for staff. */
export const BackOffice = () => (
  <AdminGate>
    <AdminShell />
  </AdminGate>
)
