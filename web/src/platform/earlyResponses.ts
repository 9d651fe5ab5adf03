/** Replies that the document requested while this code was loading (web/early-calls.ts), by URL. */
declare global {
  interface Window {
    earlyReplies?: Record<string, Promise<Response | undefined>>
  }
}

/** Returns the early reply for a URL, once; undefined if there is none or the request failed. */
export function takeEarlyResponse(url: string): Promise<Response | undefined> | undefined {
  const reply = window.earlyReplies?.[url]
  if (reply) delete window.earlyReplies?.[url]
  return reply
}

// Replies that nothing used during startup would be outdated later.
addEventListener('load', () => setTimeout(() => delete window.earlyReplies, 5000))
