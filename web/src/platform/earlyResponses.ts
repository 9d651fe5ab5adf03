/** Replies the document asked for while this code was on its way (web/early-calls.ts), by address. */
declare global {
  interface Window {
    earlyReplies?: Record<string, Promise<Response | undefined>>
  }
}

/** The early reply to this address, once; undefined where there is none or it did not come. */
export function takeEarlyResponse(url: string): Promise<Response | undefined> | undefined {
  const reply = window.earlyReplies?.[url]
  if (reply) delete window.earlyReplies?.[url]
  return reply
}

// What nobody took while the page started is old by the time somebody would.
addEventListener('load', () => setTimeout(() => delete window.earlyReplies, 5000))
