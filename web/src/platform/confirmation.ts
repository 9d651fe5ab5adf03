type ConfirmHandler = (data: unknown) => Promise<boolean>

let confirm: ConfirmHandler | undefined

/** Sets the handler that asks staff to confirm their identity: the back office has its own dialog. */
export const setConfirmation = (handler: ConfirmHandler): void => {
  confirm = handler
}

/**
 * Resolves with true once staff have confirmed their identity, false if they cancel. Undefined outside the back office.
 */
export const confirmIdentity = (data: unknown) => confirm?.(data)
