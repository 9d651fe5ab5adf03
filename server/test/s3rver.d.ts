declare module '@20minutes/s3rver' {
  type Options = {
    address?: string
    port?: number
    silent?: boolean
    directory?: string
    vhostBuckets?: boolean
    configureBuckets?: { name: string }[]
  }
  /** An S3 server that keeps objects in a folder; its one account is S3RVER, with S3RVER as its secret. */
  class S3rver {
    constructor(options: Options)
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
  export = S3rver
}
