declare module 'content-disposition' {
  /** The value of a Content-Disposition header (RFC 6266). `fallback` is the plain `filename` in ISO-8859-1. */
  function contentDisposition(filename: string, options?: { type?: string; fallback?: string }): string
  export = contentDisposition
}
