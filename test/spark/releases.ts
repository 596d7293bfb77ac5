export const version = "4.3.0";

/** Hadoop's S3A in the version of Spark's Hadoop, and what it needs, in Maven Central: group, name, version. */
export const jars = [
  ["org.apache.hadoop", "hadoop-aws", "3.5.0"],
  ["software.amazon.awssdk", "bundle", "2.35.4"],
  ["software.amazon.s3.analyticsaccelerator", "analyticsaccelerator-s3", "1.3.1"],
] as const;

export const programs = {
  master: "org.apache.spark.deploy.master.Master",
  worker: "org.apache.spark.deploy.worker.Worker",
  connect: "org.apache.spark.sql.connect.service.SparkConnectServer",
} as const;

/** Settings of a Connect server whose S3A reaches another store than Amazon's, without `spark.`. */
export const storeSettings = (endpoint: string) => ({
  "hadoop.fs.s3a.endpoint": endpoint,
  "hadoop.fs.s3a.path.style.access": "true",
});
