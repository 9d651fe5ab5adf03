import { toastError } from '../../ui/toast.ts'

/** `trouble` is the message shown, together with the server's reason, when the call fails. */
type Tell = (wish: () => Promise<unknown>, trouble: string) => Promise<void>

/**
 * Sends changes that people make faster than the server responds: one after the other. `renew` reloads once the queue
 * is empty, because a response from between two moves would undo the later move on screen.
 */
export function inTurn(renew: () => Promise<unknown>): Tell {
  let turn = Promise.resolve()
  let waiting = 0
  const done = () => {
    waiting -= 1
    if (waiting === 0) void renew()
  }
  return (wish, trouble) => {
    waiting += 1
    turn = turn
      .then(wish)
      .catch((error) => void toastError(trouble, error))
      .then(done)
    return turn
  }
}
