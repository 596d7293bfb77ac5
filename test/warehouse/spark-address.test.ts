import { expect, it } from "vitest";
import { sparkAddress } from "../../src/warehouse/spark-address.js";

it("reads an address of Spark Connect as PySpark writes it", () => {
  expect(sparkAddress("sc://host")).toEqual({
    ...{ host: "host", port: 15002, isSecure: false, token: null, user: "recount", headers: {} },
  });
  expect(sparkAddress("sc://a.b:443/;token=x%2Fy;user_id=me;x-databricks-cluster-id=7")).toEqual({
    ...{
      host: "a.b",
      port: 443,
      isSecure: true,
      token: "x/y",
      user: "me",
      headers: { "x-databricks-cluster-id": "7" },
    },
  });
  expect(sparkAddress("sc://[::1]:15002/;use_ssl=true")).toMatchObject({
    host: "[::1]",
    isSecure: true,
  });
});

it.each([
  ["http://host:1", "is not valid"],
  ["sc://", "is not valid"],
  ["sc://host:99999", "is not valid"],
  ["sc://host/;token", "has a parameter without a value"],
  ["sc://host/;token=%zz", "has a parameter that is not percent-encoded"],
  ["sc://host/;use_ssl=maybe", "has a use_ssl that is neither true nor false"],
  ["sc://host/;use_ssl=false;token=planted-token", "has a token but no TLS"],
])("refuses %s without quoting it", (text, problem) => {
  const read = () => sparkAddress(text);
  expect(read).toThrow(`The address of Spark Connect ${problem}`);
  expect(read).not.toThrow("planted-token");
});
