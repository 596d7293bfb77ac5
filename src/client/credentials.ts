/** One of the three schemes of service-api.md, "Authentication". */
export type Credentials =
  | { readonly scheme: "api-key"; readonly key: string }
  | { readonly scheme: "basic"; readonly username: string; readonly password: string }
  | { readonly scheme: "cookie"; readonly sessionid: string };

/** The request header that carries the credentials. */
export function credentialHeaders(credentials: Credentials): Record<string, string> {
  switch (credentials.scheme) {
    case "api-key":
      return { authorization: `Api-Key ${credentials.key}` };
    case "basic": {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`, "utf8").toString("base64");
      return { authorization: `Basic ${pair}` };
    }
    case "cookie":
      return { cookie: `sessionid=${credentials.sessionid}` };
  }
}

/** The parts of the credentials that must appear nowhere. */
export function secretsOf(credentials: Credentials): string[] {
  switch (credentials.scheme) {
    case "api-key":
      return [credentials.key];
    case "basic":
      return [
        credentials.password,
        Buffer.from(`${credentials.username}:${credentials.password}`, "utf8").toString("base64"),
      ];
    case "cookie":
      return [credentials.sessionid];
  }
}
